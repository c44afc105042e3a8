"""Tables of tax law: shares of the cost that a year deducts.

MACRS, 5-year property (computers and their peripherals), 200 % declining balance: IRS Publication
946, Appendix A, table A-1 (half-year convention) and tables A-2 to A-5 (mid-quarter convention,
property placed in service in the first to the fourth quarter).

>>> [round(sum(shares), 12) for shares in (HALF_YEAR, *MID_QUARTER)]
[1.0, 1.0, 1.0, 1.0, 1.0]
"""

HALF_YEAR = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)
MID_QUARTER = (
    (0.35, 0.26, 0.156, 0.1101, 0.1101, 0.0138),
    (0.25, 0.30, 0.18, 0.1137, 0.1137, 0.0426),
    (0.15, 0.34, 0.204, 0.1224, 0.1130, 0.0706),
    (0.05, 0.38, 0.228, 0.1368, 0.1094, 0.0958),
)
