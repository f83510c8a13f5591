# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of the compiler suite that are not lit tests: random C programs, random programs shared
with stock compilers, compiler-rt's tests of the builtins and picolibc's own tests. The default run
takes a sample of each."""

import abi_suite
import builtins_suite
import csmith
import debian
import picolibc_suite
from steps import parallel

# Random programs of seeds 1, 2, ...
CSMITH_PROGRAMS, CSMITH_PROGRAMS_ALL = 12, 2000
ABI_PROGRAMS, ABI_PROGRAMS_ALL = 4, 200


def run(options, display):
    def wanted(name):
        return not options.pattern or options.pattern in name

    def seeds(kind, sample, everything):
        first = options.seed if options.seed is not None else 1
        count = options.count or (everything if options.all else sample)
        return [seed for seed in range(first, first + count) if wanted(f"{kind} seed {seed}")]

    work = []
    if chosen := seeds("csmith", CSMITH_PROGRAMS, CSMITH_PROGRAMS_ALL):
        debian.install("[packages] ", csmith.PACKAGES)
        support = csmith.prepare()
        work += [lambda seed=seed: csmith.test(seed, support) for seed in chosen]
    if chosen := seeds("abi", ABI_PROGRAMS, ABI_PROGRAMS_ALL):
        debian.install("[packages] ", abi_suite.PACKAGES)
        abi_suite.prepare()
        work += [lambda seed=seed: abi_suite.test(seed) for seed in chosen]
    # A seed asks for random programs alone.
    complete = options.seed is None and options.count is None
    if complete:
        builtins_suite.prepare()
        tests = builtins_suite.sources()
        if not options.all and not options.pattern:
            tests = tests[::builtins_suite.SHARE]
        work += [lambda source=source: builtins_suite.test(source) for source in tests
                 if wanted(f"builtins {source.stem}")]

    done = []

    def one(job):
        result = job()
        done.append(result)
        display.update(f"{len(done)} of {len(work)}: {result.name}")
        return result

    results = parallel(one, work)
    # Listing its tests takes a build folder: a pattern must name it.
    if complete and "picolibc" in (options.pattern or "picolibc"):
        results += picolibc_suite.suite(options, display)
    return results
