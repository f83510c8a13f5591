# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of the compiler suite that are not lit tests: random C programs and compiler-rt's tests
of the builtins. The default run takes a sample of each."""

import builtins_suite
import csmith
import debian
from steps import parallel

# Random programs of seeds 1, 2, ...
CSMITH_PROGRAMS, CSMITH_PROGRAMS_ALL = 12, 2000


def run(options, display):
    def wanted(name):
        return not options.pattern or options.pattern in name

    work = []
    first = options.seed if options.seed is not None else 1
    count = options.count or (CSMITH_PROGRAMS_ALL if options.all else CSMITH_PROGRAMS)
    seeds = [seed for seed in range(first, first + count) if wanted(f"csmith seed {seed}")]
    if seeds:
        debian.install("[packages] ", csmith.PACKAGES)
        support = csmith.prepare()
        work += [lambda seed=seed: csmith.test(seed, support) for seed in seeds]
    # A seed asks for random programs alone.
    if options.seed is None and options.count is None:
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

    return parallel(one, work)
