"""Currencies, worth, and states that a question says in its own words: what is still so, delivered or graded."""

import pytest

from tests.agent.offline.conftest import Ask, is_unsure, misread

FILES = {
    "orders.csv": """Order ID,Order Date,Customer,Qty (kg),Price per kg,Status
001,2025-01-03,Alder Foods,10,€2.00,Delivered
002,2025-02-04,Birch Cafe,5,€4.50,Delivered
003,2024-03-05,Alder Foods,7,€3.00,Returned
""",
    "invoices.csv": """invoice_no,invoice_date,net_amount,currency,status
I1,2025-01-03,100,EUR,paid
I2,2025-02-03,250,CHF,paid
I3,2025-03-03,300,EUR,cancelled
""",
    "staff.csv": """Staff No,Full Name,Job Title,Plant,Start Date,Hourly Rate,Contract,Left On
1,Ann Able,Driver,Naas,2019-01-01,14,permanent,
2,Bob Best,Driver,Naas,2024-02-01,16,fixed-term,2025-03-01
3,Cid Cole,Packer,Bray,2024-05-01,12,fixed-term,
4,Dee Dunn,Driver,Bray,2020-05-01,15,permanent,
""",
    "batches.csv": """Batch No,Made On,Route,Milk In (l),Grade
L1,2024-01-02,North,100,A
L2,2024-01-03,South,200,B
L3,2024-02-03,North,300,A
L4,2024-03-04,South,400,
""",
    "complaints.csv": """Complaint ID,Customer,Received,Reason,Credit note (EUR)
C1,Alder Foods,2024-01-03,mould,20
C2,Birch Cafe,2024-02-03,late,30
C3,Alder Foods,2024-03-03,mould,40
""",
    "members.csv": """member,name,status,organic
M1,Kofler,active,yes
M2,Haller,active,no
M3,Huber,suspended,yes
""",
    "hires_2024.csv": """ref,enquiry_date,travel_date,status,quoted_eur
H1,2023-12-01,2024-01-06,completed,100
H2,2024-01-02,2024-02-10,completed,200
H3,2024-01-03,2024-02-12,cancelled,400
""",
    "buses.csv": """fleet_no,status,lift
B1,In service,yes
B2,In service,no
B3,Sold,yes
""",
    "fuel.csv": """fill_date,bus,litres
2024-01-02,B1,50
2024-01-03,B1,60
2024-01-04,B2,70
""",
    "depots.csv": """Month,Kendal actual (EUR),Kendal budget (EUR)
Jan,10,9
Feb,8,9
""",
    "freight.csv": """Shipment,Mode,Loaded,Delivered
S1,Sea,2024-01-01,2024-01-11
S2,Sea,2024-01-01,2024-01-31
S3,Road,2024-01-01,2024-01-02
""",
    "lines.csv": """order_no,line,product,state
1,1,Tulip,Cancelled
1,2,Rose,Shipped
1,3,Iris,Shipped
2,1,Tulip,Shipped
""",
    "GuestDays.csv": """Date,Season,First entries
2024-12-24,2024/25,100
2024-12-25,2024/25,200
2025-01-02,2024/25,50
""",
    "Stoppages winter 2024-25.csv": """Stoppage No,Start time,Cause,Minutes
1,09:10,Wind,5
2,11:20,Wind,20
3,08:50,Power,30
""",
    "Revenue by quarter 2025.csv": """Quarter,Revenue (EUR)
Q1,100
Q2,200
""",
    "jobs.csv": """job,machine,prts_gbp,hrs
J1,Ironer,20,2
J2,Ironer,30,1
J3,Dryer,7,4
""",
}
CASES = [
    ("What is the total value of orders in 2025?", [(42.5,)]),
    ("Top 2 customers by revenue", [("Alder Foods", 41), ("Birch Cafe", 22.5)]),
    ("How many kg did Alder Foods buy?", [(17,)]),
    ("How much did we invoice in euros?", [(400,)]),
    ("What do the invoices of 2025 add up to? just the ones in francs", [(250,)]),
    ("Who joined us in 2024 and is still here?", [("Cid Cole",)]),
    ("How many people currently work at each plant?", [("Bray", 2), ("Naas", 1)]),
    ("What is the average hourly pay of our current drivers?", [(14.5,)]),
    ("Whose contracts are fixed-term?", [("Bob Best",), ("Cid Cole",)]),
    ("Of the batches that have been graded so far, what percent got an A?", [(100 * 2 / 3,)]),
    ("How many batches have not been graded yet?", [(1,)]),
    ("How much milk came in on each route in 2024?", [("North", 400), ("South", 600)]),
    ("How many different customers complained in 2024?", [(2,)]),
    ("Which customer complains the most?", [("Alder Foods", 2)]),
    ("What did we hand out in credit notes for mould complaints in total?", [(60,)]),
    ("What share of the active members farms organically?", [(50,)]),
    ("What did we spend on parts for the Ironer?", [(50,)]),
    ("How many hire jobs were completed in 2024?", [(2,)]),
    ("How many of the completed hires travelled on a Saturday?", [(2,)]),
    ("How many buses in service have a lift?", [(1,)]),
    ("How many days did the slowest sea shipment take?", [("S2", 30)]),
    ("What percent of the order lines were cancelled?", [(25,)]),
    ("What was the total revenue of 2025?", [(300,)]),
    ("How many stoppages did we have last winter because of wind?", [(2,)]),
    ("How many kg were ordered in 2025, counting delivered orders only?", [(15,)]),
]
UNSURE = [
    "What does Ann Able earn a month?",
    "guests per month in the 2024/25 season",
    "How many stoppages started before 10 in the morning?",
    "What was our net profit in 2024?",
    "What have we credited to customers for torn items in total, in pounds?",
]


def test_what_is_so_now_is_read(ask: Ask) -> None:
    assert not misread(ask, CASES)


@pytest.mark.parametrize("question", UNSURE)
def test_another_kind_of_number_is_not_answered(ask: Ask, question: str) -> None:
    assert is_unsure(ask(question))
