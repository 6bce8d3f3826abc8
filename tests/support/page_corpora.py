"""The documents that the page's tests ask about, some of them hostile."""

__all__ = ["PAGE_CORPORA"]

HACK = "<img src=x onerror=document.title='hacked'>"
ESCAPED = HACK.replace("<", "&lt;")
RTL = "\u202eسفينة נמל"
LONG = "Schiff" * 40
ODD = f"קובץ 📦 {'w' * 90}"
PAGE_CORPORA = {
    "page": {
        "regions.csv": "Region,Revenue EUR,Units\nNorth,450000,120\nSouth,524500,80\nEast,800000,200\n",
        "visits.csv": "Month,Visits\n2025-01,310\n2025-02,420\n2025-03,390\n2025-04,505\n",
        "squares.csv": "Number,Square\n" + "".join(f"{i},{i * i}\n" for i in range(1, 131)),
        "notes.md": "# Notes\n\nThe total revenue was about 1.8 million EUR.\n\nThe total units sold were 410.\n",
    },
    "odd": {
        f"{ODD}.csv": f"Ship {ODD},Tonnes\n{RTL},12\n{LONG},30\n👩🏽‍🚀🚢 Ada,5\n<i>Bo</i>,9\n",
    },
    "removable": {"tins.csv": "Shop,Tins\nA,3\nB,4\n"},
    "unclear": {
        "invoices.csv": "Invoice,Customer,Net amount (EUR),Gross amount (EUR)\n"
        "I1,Aurora,100,119\nI2,Lumen,200,238\nI3,Aurora,300,357\n",
    },
    "hostile": {
        f"{HACK}.csv": f"Name,{HACK}\n<script>document.title='hacked'</script>,7\n",
        "page.html": f"<h1>{ESCAPED}</h1><table><caption>{ESCAPED}</caption>"
        f"<tr><th>Ship</th><th>Tonnes {ESCAPED}</th></tr>"
        f"<tr><td>{ESCAPED}</td><td>12</td></tr><tr><td>Ada</td><td>30</td></tr></table>"
        f"<p>The ship Ada {ESCAPED} carried 30 tonnes.</p>",
    },
}
