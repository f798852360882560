"""Code that is copied."""

import os
import pathlib

#: The repository, which has code enough.
REPOSITORY = pathlib.Path(os.environ.get("FAMILIAR_REPOSITORY") or pathlib.Path(__file__).parents[3])

TOTAL = '''
def total(prices, taxes, discount):
    amount = 0
    for price, tax in zip(prices, taxes):
        amount += price * (1 + tax)
    if discount > amount:
        raise ValueError(discount)
    amount -= discount
    return round(amount, 2)
'''

RENAMED = '''
def sum_all(costs, rates, rebate):
    result = 0
    for cost, rate in zip(costs, rates):
        result += cost * (1 + rate)
    if rebate > result:
        raise ValueError(rebate)
    result -= rebate
    return round(result, 2)
'''

OTHER = '''
def squares(values):
    return [value * value for value in values if value]
'''
