# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random conversions of a 128-bit long double: long_double_cases.py SEED COUNT FOLDER writes cases.h
for long_double_text.c and expected.txt, what it must print, from exact fractions."""

import random
import sys
from fractions import Fraction
from pathlib import Path

FRACTION_BITS, BIAS, EXPONENT_MAX = 112, 16383, 0x7FFF
# printf's digits; zeros follow.
DIGITS = 34
# Longer integers are left to %Le.
LONGEST_FIXED = 400


def value(bits):
    exponent, mantissa = bits >> FRACTION_BITS, bits & ((1 << FRACTION_BITS) - 1)
    if exponent:
        mantissa |= 1 << FRACTION_BITS
    return mantissa * Fraction(2) ** (max(exponent, 1) - BIAS - FRACTION_BITS)


def nearest(text):
    """The bits of the long double that is nearest to a number in decimal."""
    number = Fraction(text)
    if not number:
        return 0
    exponent = number.numerator.bit_length() - number.denominator.bit_length()
    while Fraction(2) ** exponent > number:
        exponent -= 1
    exponent = max(exponent, 1 - BIAS)
    mantissa = round(number / Fraction(2) ** (exponent - FRACTION_BITS))
    # The highest bit of a normal mantissa, or of one that rounding carried up, counts in the exponent.
    bits = ((exponent + BIAS - 1) << FRACTION_BITS) + mantissa
    return min(bits, EXPONENT_MAX << FRACTION_BITS)


def decimal_exponent(number):
    exponent = len(str(number.numerator)) - len(str(number.denominator))
    while Fraction(10) ** exponent > number:
        exponent -= 1
    return exponent


def point(digits, decimals):
    return f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits


def fixed(number, decimals):
    kept = min(decimals, DIGITS - 1 - decimal_exponent(number)) if number else 0
    rounded = round(number * Fraction(10) ** kept) * Fraction(10) ** (decimals - kept)
    return point(str(int(rounded)).rjust(decimals + 1, "0"), decimals)


def scientific(number, decimals):
    exponent = decimal_exponent(number) if number else 0
    kept = min(decimals, DIGITS - 1)
    rounded = round(number * Fraction(10) ** (kept - exponent))
    if rounded == 10 ** (kept + 1):
        rounded, exponent = rounded // 10, exponent + 1
    return f"{point(str(rounded).ljust(decimals + 1, '0'), decimals)}e{exponent:+03d}"


def hexadecimal(bits, digits=None):
    exponent, mantissa = bits >> FRACTION_BITS, bits & ((1 << FRACTION_BITS) - 1)
    if exponent:
        mantissa |= 1 << FRACTION_BITS
    exponent = max(exponent, 1) - BIAS if bits else 0
    if digits is None:
        text = f"{mantissa:029x}".rstrip("0")
        text = text or "0"
        digits = len(text) - 1
    else:
        text = f"{round(Fraction(mantissa, 1 << (FRACTION_BITS - 4 * digits))):0{digits + 1}x}"
    return f"0x{point(text, digits)}p{exponent:+d}"


def random_bits():
    kind = random.randrange(8)
    if kind < 2:  # a short decimal number, or half-way between integers
        return nearest(f"{random.randint(0, 9999)}.{random.choice([5, random.randint(0, 9999)])}"
                       f"e{random.choice([0, random.randint(-6, 6)])}")
    exponent = BIAS + random.randint(-130, 130) if kind < 6 else \
        random.choice([0, 1, EXPONENT_MAX - 1, random.randrange(EXPONENT_MAX)])
    # Few bits, too.
    mantissa = random.getrandbits(FRACTION_BITS) >> (cut := random.choice([0, random.randrange(FRACTION_BITS)])) << cut
    return exponent << FRACTION_BITS | mantissa


def main(seed, count, folder):
    sys.set_int_max_str_digits(0)
    random.seed(seed)
    cases, lines = [], []
    for _ in range(count):
        bits, sign = random_bits(), random.choice(["", "-"])
        number = value(bits)
        f, e, a = random.choice([0, 1, 2, 6, 20, 34]), random.choice([0, 1, 5, 17, 33, 36]), random.randint(0, 28)
        text = f"{random.getrandbits(random.choice([1, 20, 60, 105]))}" \
               f"e{random.choice([random.randint(-40, 40), random.randint(-5010, 4950)])}"
        short = number < 10 ** LONGEST_FIXED
        word = bits | (1 << 127 if sign else 0)
        cases.append(f'{{{{{{{word & (2**64 - 1):#x}, {word >> 64:#x}}}}}, {f if short else -1}, {e}, {a}, "{text}"}},')
        lines.append(" ".join([sign + fixed(number, f) if short else "-", sign + scientific(number, e),
                               sign + hexadecimal(bits), sign + hexadecimal(bits, a), f"{nearest(text):032x}"]))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cases.h").write_text("\n".join(cases) + "\n")
    (folder / "expected.txt").write_text("\n".join(lines) + "\n")


main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
