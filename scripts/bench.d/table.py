"""The bench's result: rows with a ratio, a target, and whether it is met."""

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


class Table:
    def __init__(self):
        self.rows = []
        self.is_met = True

    def ratio(self, what, ours, theirs, unit, most=None, least=None):
        """`theirs` is (name, figure). At most `most` times it, or at least `least` times."""
        name, figure = theirs
        ratio = ours / figure if figure else 0
        if least is not None:
            target, met = f"≥ {least:g} ×", ratio >= least
        elif most is not None:
            target, met = f"≤ {most:g} ×", ratio <= most
        else:
            target, met = "", None
        self.add(what, show(ours, unit), f"{name} {show(figure, unit)}", f"{ratio:.{2 if ratio >= 0.1 else 4}f} ×", target, met)

    def limit(self, what, ours, unit, most=None):
        """Without `most` only for comparison."""
        if most is None:
            return self.add(what, show(ours, unit), "", "", "", None)
        self.add(what, show(ours, unit), "", "", f"≤ {show(most, unit)}", ours <= most)

    def add(self, what, ours, theirs, ratio, target, met):
        if met is False:
            self.is_met = False
        self.rows.append((what, ours, theirs, ratio, target, {True: "yes", False: "**no**", None: ""}[met]))

    def markdown(self, only=None):
        """`only`: the names of the rows to show; all by default."""
        head = ("", "Commonplace", "beside", "ratio", "target", "met")
        rows = [row for row in self.rows if only is None or row[0] in only]
        lines = [head, ("---",) * len(head), *rows]
        return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"

    def write_into(self, page, text):
        before, _, rest = page.read_text().partition(BEGIN)
        _, marker, after = rest.partition(END)
        if not marker:
            raise SystemExit(f"bench: {page.name} has no place between {BEGIN} and {END}")
        page.write_text(f"{before}{BEGIN}\n{text}{END}{after}")


def show(figure, unit):
    if unit == "writes/s":
        return f"{figure:,.0f} {unit}"
    return f"{figure:.{0 if figure >= 100 else 1 if figure >= 10 else 2}f} {unit}"
