"""Verbs, units, names and kinds that tell which column or which rows of a table are meant."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "tours.csv": """tour_code,title,boat,date,places,places_sold
T1,Seal bay,Heron,2025-02-01,40,31
T2,Night tour,Heron,2025-03-04,40,20
T3,Lighthouse,Teal,2025-04-05,20,19
T4,Seal bay,Heron,2024-04-05,40,25
""",
    "Advance bookings autumn 2025.csv": """Booking,Customer,Places
B1,Ann Able,2
B2,Bob Best,3
""",
    "wholesale customers.csv": """Customer No,Customer,Type,Town,Since
1,Alder Foods,Wholesaler,Bray,2011
2,Birch Cafe,Café,Bray,2012
3,Cedar Trade,Wholesaler,Naas,2013
""",
    "Grant requests.csv": """Funder,Scheme,Sent On,Asked (EUR),Decision,Decision Date
Town Council,Subsidy,2024-11-02,500,Granted,2025-03-07
Town Council,Roof,2025-03-09,700,Pending,
Arts Fund,Touring,2025-03-12,900,Pending,
Arts Fund,Roof,2024-03-12,900,Refused,2024-05-05
""",
    "lamps.csv": """lamp_no,model,room,power_w,price_eur
L1,Spot,Studio,900,300
L2,Flood,Studio,600,80
L3,Spot,Hall,900,20
""",
    "tanks.csv": """tank,place,size_l
K1,Bray,12000
K2,Bray,18000
K3,Naas,19000
""",
    "meters.csv": """Month,Gas (kWh),Water (m3)
Jan,2000,5
Feb,1000,6
""",
    "people.csv": """Staff No,Name,Department,Job Title
1,Ann Able,Packing,Packer
2,Bob Best,Packing,Fitter
3,Cid Cole,Dairy,Packer
""",
    "vehicles.csv": """Plate,Type,Fuel,Ownership
P 1,Van,Diesel,leased
P 2,Van,Electric,leased
P 3,Truck,Diesel,leased
P 4,Van,Diesel,owned
""",
    "sites.csv": """Site,Distance (miles)
Salt Marsh,10
Low Wood,4
""",
    "gifts.csv": """GiftID,Fund,Amount (EUR)
D-1,Roof Appeal,70
D-2,General,30
D-3,Roof Appeal,20
""",
}
CASES = [
    ("How many places did we sell in 2025?", [(70,)]),
    ("How many more places did we sell in 2025 than in 2024?", [(45,)]),
    ("What percentage of the places on the Heron did we sell in 2025?", [(63.75,)]),
    ("list the wholesalers in Bray", [("Alder Foods",)]),
    ("which grant requests were decided in March 2025?", [("Town Council", "Subsidy")]),
    ("Which grant requests are pending?", [("Town Council", "Roof"), ("Arts Fund", "Touring")]),
    ("Total power of the lamps in the Studio in kW", [(1.5,)]),
    ("What is the most expensive lamp model?", [("L1", 300)]),
    ("Which tanks in Bray hold more than 15,000 litres?", [("K2",)]),
    ("gas consumption in MWh", [(3.0,)]),
    ("How many people work in Packing?", [(2,)]),
    ("How many leased diesel vans have we got?", [(1,)]),
    ("How far is Salt Marsh in km?", [(16.09344,)]),
    ("total of gifts to the Roof Appeal", [(90,)]),
]
UNSURE = ["Who bought the Bray tank?", "Total power of the lamps in the Studio in furlongs"]


def test_the_words_tell_what_is_meant(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", UNSURE)
def test_what_the_words_leave_is_not_answered(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
