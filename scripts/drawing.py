"""Draws what a terminal shows as SVG: text as text, lines, blocks and braille as shapes.

So a picture looks the same with every font, and stays small.
"""

import re
from html import escape

CELL = (8.4, 17)
"""Width and height of a character."""
MARGIN = 14
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
GROUNDS = {"dark": ("#1e1e2e", "#cdd6f4"), "light": ("#eff1f5", "#4c4f69")}
"""Background and text of the terminals that the pictures are of: Catppuccin's Mocha and Latte."""
ANSI = (
    "45475a f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 bac2de "
    "585b70 f38ba8 a6e3a1 f9e2af 89b4fa f5c2e7 94e2d5 a6adc8"
).split()
NAMES = "black red green brown blue magenta cyan white".split()
"""The same by pyte's names."""
SGR = re.compile(r"\x1b\[([\d;:]*)m")
LEFT_EIGHTHS = "▏▎▍▌▋▊▉█"
LOWER_EIGHTHS = "▁▂▃▄▅▆▇█"


def svg(captured, columns, rows, ground, title):
    """The picture of a screen as `tmux capture-pane -e` prints it."""
    canvas = Canvas(columns, rows, ground)
    for row, line in enumerate(captured.split("\n")[:rows]):
        canvas.draw(row, cells(line, *GROUNDS[ground]))
    return canvas.text(title)


def cells(line, background, text):
    """Each character of a line with its colour, its background, and whether it is bold."""
    style = dict(color=text, ground=background, bold=False, dim=False, reverse=False)
    standard = dict(style)
    found, place = [], 0
    for change in [*SGR.finditer(line), None]:
        for character in line[place : change.start() if change else None]:
            color, ground = style["color"], style["ground"]
            if style["reverse"]:
                color, ground = ground, color
            if style["dim"]:
                color = mixed(color, ground)
            found.append((character, color, ground, style["bold"]))
        if change:
            place = change.end()
            adopt(style, [int(n or 0) for n in re.split("[;:]", change[1])], standard)
    return found


def cells_of(screen, row, ground):
    """The same of a row of pyte's screen."""
    background, text = GROUNDS[ground]
    found = []
    for column in range(screen.columns):
        cell = screen.buffer[row][column]
        color, behind = (
            own if named == "default" else "#" + (named if len(named) == 6 else ANSI[NAMES.index(named)])
            for named, own in ((cell.fg, text), (cell.bg, background)))
        if cell.reverse:
            color, behind = behind, color
        if cell.data:  # the second half of a wide character has none
            found.append((cell.data, color, behind, cell.bold))
    return found


def adopt(style, numbers, standard):
    """Changes a style as Select Graphic Rendition says (ECMA-48, 8.3.117; ISO 8613-6 colours)."""
    while numbers:
        number = numbers.pop(0)
        name = "color" if number < 40 or 90 <= number < 100 else "ground"
        if number == 0:
            style.update(standard)
        elif number in (1, 2, 7):
            style[{1: "bold", 2: "dim", 7: "reverse"}[number]] = True
        elif number == 22:
            style.update(bold=False, dim=False)
        elif number == 27:
            style["reverse"] = False
        elif number in (39, 49):
            style[name] = standard[name]
        elif number in (38, 48) and numbers[0] == 5:
            style[name] = xterm(numbers[1])
            del numbers[:2]
        elif number in (38, 48):
            style[name] = "#%02x%02x%02x" % tuple(numbers[1:4])
            del numbers[:4]
        elif number % 10 < 8 and number // 10 in (3, 4, 9, 10):
            style[name] = "#" + ANSI[number % 10 + (8 if number >= 90 else 0)]


def xterm(number):
    if number < 16:
        return "#" + ANSI[number]
    if number >= 232:
        return "#" + "%02x" % (8 + 10 * (number - 232)) * 3
    levels = [0, 95, 135, 175, 215, 255]
    cube = number - 16
    return "#%02x%02x%02x" % (levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6])


def mixed(color, other):
    parts = [(int(color[i : i + 2], 16) * 6 + int(other[i : i + 2], 16) * 4) // 10 for i in (1, 3, 5)]
    return "#%02x%02x%02x" % tuple(parts)


class Canvas:
    def __init__(self, columns, rows, ground):
        self.width = columns * CELL[0] + 2 * MARGIN
        self.height = rows * CELL[1] + 2 * MARGIN
        self.ground = GROUNDS[ground][0]
        self.styles = {}
        self.areas, self.lines, self.words = {}, {}, []

    def draw(self, row, line):
        top = MARGIN + row * CELL[1]
        start = 0
        while start < len(line):
            end = start + 1
            kind = self.kind(line[start])
            while end < len(line) and kind and self.kind(line[end]) == kind:
                end += 1
            self.run(line[start:end], MARGIN + start * CELL[0], top)
            start = end

    def kind(self, cell):
        """Cells of one kind are drawn together; None: alone."""
        character, color, ground, bold = cell
        if character in "─━█╌":
            return (character, color, ground)
        return ("text", color, ground, bold) if self.is_text(character) else None

    @staticmethod
    def is_text(character):
        return not ("\u2500" <= character <= "\u259f" or "\u2800" <= character <= "\u28ff")

    def run(self, cells, x, y):
        (character, color, ground, bold) = cells[0]
        width, height = len(cells) * CELL[0], CELL[1]
        if ground != self.ground:
            self.area(ground, x, y, width, height)
        text = "".join(cell[0] for cell in cells)
        if self.is_text(character):
            if text.strip():
                self.write(text, color, bold, x, y)
        elif character in LOWER_EIGHTHS:
            part = height * (LOWER_EIGHTHS.index(character) + 1) / 8
            self.area(color, x, y + height - part, width, part)
        elif character in LEFT_EIGHTHS:
            self.area(color, x, y, width * (LEFT_EIGHTHS.index(character) + 1) / 8, height)
        elif character == "▐":
            self.area(color, x + width / 2, y, width / 2, height)
        elif character == "▕":
            self.area(color, x + width * 7 / 8, y, width / 8, height)
        elif character >= "\u2800":
            self.dots(ord(character) - 0x2800, color, x, y)
        else:
            self.line(character, color, x, y, width)

    def write(self, text, color, bold, x, y):
        shown = text.strip()
        x += (len(text) - len(text.lstrip())) * CELL[0]
        length = number(len(shown) * CELL[0])
        name = self.style(f"fill:{color}" + (";font-weight:700" if bold else ""))
        self.words.append(
            f'<text class="{name}" x="{number(x)}" y="{number(y + 13)}" textLength="{length}">'
            f"{escape(shown, quote=False)}</text>")

    def dots(self, bits, color, x, y):
        places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        for bit, (column, row) in enumerate(places):
            if bits >> bit & 1:
                self.area(color, x + 1 + column * 4.2, y + 1 + row * 4.25, 2.2, 2.2)

    def line(self, character, color, x, y, width):
        middle, centre = y + CELL[1] / 2, x + CELL[0] / 2
        horizontal = f"M{number(x)} {number(middle)}h{number(width)}"
        vertical = f"M{number(centre)} {number(y)}v{CELL[1]}"
        bend = {
            "╭": f"M{number(centre)} {number(y + CELL[1])}V{number(middle + 4)}Q{number(centre)} "
            f"{number(middle)} {number(x + CELL[0])} {number(middle)}",
            "╮": f"M{number(x)} {number(middle)}Q{number(centre)} {number(middle)} {number(centre)} "
            f"{number(middle + 4)}V{number(y + CELL[1])}",
            "╰": f"M{number(centre)} {number(y)}V{number(middle - 4)}Q{number(centre)} "
            f"{number(middle)} {number(x + CELL[0])} {number(middle)}",
            "╯": f"M{number(centre)} {number(y)}V{number(middle - 4)}Q{number(centre)} "
            f"{number(middle)} {number(x)} {number(middle)}",
            "├": f"{vertical}M{number(centre)} {number(middle)}h{number(CELL[0] / 2)}",
            "┤": f"{vertical}M{number(x)} {number(middle)}h{number(CELL[0] / 2)}",
            "─": horizontal, "━": horizontal, "╌": horizontal, "│": vertical, "┃": vertical,
        }
        look = f"stroke:{color};stroke-width:{3 if character in '━┃' else 1}"
        if character == "╌":
            look += ";stroke-dasharray:3 2.6"
        self.lines.setdefault(look, []).append(bend[character])

    def area(self, color, x, y, width, height):
        path = f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h{number(-width)}z"
        self.areas.setdefault(color, []).append(path)

    def style(self, look):
        return self.styles.setdefault(look, f"s{len(self.styles)}")

    def shapes(self):
        return [
            *(f'<path fill="{color}" d="{"".join(d)}"/>' for color, d in self.areas.items()),
            *(f'<path fill="none" style="{look}" d="{"".join(d)}"/>' for look, d in self.lines.items()),
            *self.words]

    def text(self, title):
        return self.file(title, "", self.shapes())

    def animated(self, rows, ends, title):
        """Rows that are seen in some of the frames only, each with its number, its cells and its frames.

        A frame lasts until its end, in seconds. Where nothing moves, the last one is seen.
        """
        together = {}
        for row, line, numbers in rows:
            together.setdefault(tuple(numbers), []).append((row, line))
        rules, shapes = [], []
        for place, (numbers, lines) in enumerate(together.items()):
            self.areas, self.lines, self.words = {}, {}, []
            for row, line in lines:
                self.draw(row, line)
            if len(numbers) == len(ends):
                shapes += self.shapes()
                continue
            last = "visible" if len(ends) - 1 in numbers else "hidden"
            rules.append(
                f"#v{place}{{visibility:{last};animation:v{place} {number(ends[-1])}s step-end infinite}}"
                f"@keyframes v{place}{{{moments(numbers, ends)}}}")
            shapes += [f'<g id="v{place}">', *self.shapes(), "</g>"]
        return self.file(
            title, "".join(rules) + "@media(prefers-reduced-motion){g{animation:none!important}}", shapes)

    def file(self, title, moving, shapes):
        rules = "".join(f".{name}{{{look}}}" for look, name in self.styles.items())
        size = f"{number(self.width)} {number(self.height)}"
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" xml:space="preserve">',
            f"<title>{escape(title)}</title>",
            f"<style>text{{white-space:pre;font:14px {FONT}}}{rules}{moving}</style>",
            f'<rect width="100%" height="100%" rx="10" fill="{self.ground}"/>',
            *shapes, "</svg>", ""])


def moments(numbers, ends):
    """The keyframes of what is seen in some frames."""
    found, was = [], None
    for place, start in enumerate([0, *ends[:-1]]):
        state = "visible" if place in numbers else "hidden"
        if state != was:
            found.append(f"{number(100 * start / ends[-1])}%{{visibility:{state}}}")
        was = state
    return "".join(found) + f"to{{visibility:{was}}}"


def number(value):
    """As short as it can be written, to a tenth."""
    return f"{value:.1f}".rstrip("0").rstrip(".")
