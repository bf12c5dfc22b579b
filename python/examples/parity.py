"""A model without a network: words with an even number of a's and of b's.

    quotient extract --exec 'python3 parity.py' --target tomita5
"""

import quotient


def even(word):
    return word.count("a") % 2 == 0 and word.count("b") % 2 == 0


def state(word):
    return [1 - 2 * (word.count("a") % 2), 1 - 2 * (word.count("b") % 2)]


quotient.serve(even, symbols="ab", states=state)
