"""Makes small PowerPoint presentations."""

import zipfile
from pathlib import Path

__all__ = ["chart_xml", "frame", "shape", "table_xml", "write_pptx"]

P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
NAMES = f'xmlns:p="{P}" xmlns:a="{A}" xmlns:r="{R}" xmlns:c="{C}"'


def shape(text: str, placeholder: str = "") -> str:
    """Return a shape with a line a paragraph; two spaces are a level."""
    mark = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    lines = "".join(
        f'<a:p><a:pPr lvl="{(len(t) - len(t.lstrip())) // 2}"/><a:r><a:t>{t.strip()}</a:t></a:r></a:p>'
        for t in text.split("\n")
    )
    return f"<p:sp><p:nvSpPr><p:nvPr>{mark}</p:nvPr></p:nvSpPr><p:txBody>{lines}</p:txBody></p:sp>"


def frame(content: str) -> str:
    """Return a graphic frame."""
    return f"<p:graphicFrame><a:graphic><a:graphicData>{content}</a:graphicData></a:graphic></p:graphicFrame>"


def table_xml(*rows: str, first_row: str = "1") -> str:
    """Return a table of rows of cells' XML."""
    return f'<a:tbl><a:tblPr firstRow="{first_row}"/>{"".join(f"<a:tr>{r}</a:tr>" for r in rows)}</a:tbl>'


def chart_xml(title: str, categories: list[str], **series: list[float]) -> str:
    """Return a chart part with the cached numbers of its series."""

    def points(values: list[object]) -> str:
        return "".join(f'<c:pt idx="{i}"><c:v>{v}</c:v></c:pt>' for i, v in enumerate(values))

    made = "".join(
        f"<c:ser><c:tx><c:strRef><c:strCache>{points([name])}</c:strCache></c:strRef></c:tx>"
        f"<c:cat><c:strRef><c:strCache>{points(list(categories))}</c:strCache></c:strRef></c:cat>"
        f"<c:val><c:numRef><c:numCache>{points(list(values))}</c:numCache></c:numRef></c:val></c:ser>"
        for name, values in series.items()
    )
    head = f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    plot = f"<c:plotArea><c:barChart>{made}</c:barChart></c:plotArea>"
    return f"<c:chartSpace {NAMES}><c:chart>{head}{plot}</c:chart></c:chartSpace>"


def _rels(*targets: tuple[str, str]) -> str:
    made = "".join(f'<Relationship Id="r{i}" Type="{R}/{k}" Target="{t}"/>' for i, (k, t) in enumerate(targets))
    return f'<Relationships xmlns="{RELS}">{made}</Relationships>'


def write_pptx(path: Path, *slides: str, notes: str = "", chart: str = "", diagram: str = "", hidden: int = -1) -> Path:
    """Write a presentation; the notes, the chart (r1) and the diagram (r2) belong to the first slide."""
    ids = "".join(f'<p:sldId id="{256 + i}" r:id="r{i}"/>' for i in range(len(slides)))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "ppt/presentation.xml", f"<p:presentation {NAMES}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
        )
        # The order of the slides is that of the presentation, not of their names.
        names = [f"slides/slide{len(slides) - i}.xml" for i in range(len(slides))]
        archive.writestr("ppt/_rels/presentation.xml.rels", _rels(*(("slide", n) for n in names)))
        for i, (name, shapes) in enumerate(zip(names, slides, strict=True)):
            show = ' show="0"' if i == hidden else ""
            archive.writestr(
                f"ppt/{name}", f"<p:sld {NAMES}{show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
            )
        first = names[0].rpartition("/")[2]
        archive.writestr(
            f"ppt/slides/_rels/{first}.rels",
            _rels(("notesSlide", "../notesSlides/n.xml"), ("chart", "../charts/c.xml"), ("diagramData", "../d.xml")),
        )
        if notes:
            archive.writestr(
                "ppt/notesSlides/n.xml", f"<p:notes {NAMES}>{shape(notes, 'body')}{shape('7', 'sldNum')}</p:notes>"
            )
        if diagram:
            archive.writestr("ppt/d.xml", f"<d {NAMES}>{diagram}</d>")
        if chart:
            archive.writestr("ppt/charts/c.xml", chart)
    return path
