#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# exe_wrapper of picolibc's tests: picolibc-run.sh SIMULATOR [OPTION]... -- PROGRAM [ARGUMENT]...
# Each program runs in a folder of its own, where it may leave files, and under the name that the
# tests expect in argv[0].

set -e
simulator=
while [ "$1" != -- ]; do
  simulator="$simulator $1"
  shift
done
program=$2
shift 2
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
ln -s "$program" "$folder/program-name"
cd "$folder"
set +e
# shellcheck disable=SC2086
$simulator program-name "$@"
