"""Hardback of 15.5 x 23.5 cm and 224 pages: standing, open, its bound edge, and beside a pencil."""
import math
from functools import partial

import numpy as np
from mathutils import Matrix

import materials
import shapes
import shots
import studio
from shapes import move

WIDTH, HEIGHT, THICK = 1.55, 2.35, .25
BOARD, INSET = .03, .035        # thickness of the boards, and how far they extend past the pages
SECTIONS = 14       # folded sheets of 16 pages, sewn together
NAVY = '#12355b'
PAPER = ((.30, .235, .15), (.66, .58, .43))


def book(sheets=85):
    """Builds the closed book, upright, with the spine on the left (-x).

    `sheets` is the number of lines per unit on the cut pages: fewer than sheets, except in the
    close-up, so that they do not flicker in small pictures.
    """
    front = print_on('front cover', 'book-front.png')
    back = print_on('back cover', 'book-back.png')
    outline = shapes.rounded_rect(WIDTH, HEIGHT, .012, 3)
    plate = shapes.slab('front board', outline, 0, BOARD, front, bevel=.006)
    plate.matrix_world = move(0, -THICK / 2 + BOARD, HEIGHT / 2) @ shapes.FACE_FRONT
    plate = shapes.slab('back board', outline, 0, BOARD, back, bevel=.006, mirror_u=True)
    plate.matrix_world = move(0, THICK / 2, HEIGHT / 2) @ shapes.FACE_FRONT
    page_block(sheets)
    spine(print_on('spine', 'book-spine.png'))
    head_band()


def book_close():
    """Builds the closed book with as many lines on the cut pages as there are sheets."""
    book(sheets=500)


def head_band(stripes=22):
    """Builds the striped band that covers the sections' upper ends at the spine."""
    colors = [materials.plain('head band', color, rough=.7) for color in ('#ffb703', '#f6efe0')]
    ends = np.linspace(-THICK / 2 + BOARD, THICK / 2 - BOARD, stripes + 1)
    for i, (y0, y1) in enumerate(zip(ends, ends[1:])):
        shapes.tube('head band', [(-WIDTH / 2 + .022, y0, HEIGHT - INSET - .002),
                                  (-WIDTH / 2 + .022, y1, HEIGHT - INSET - .002)],
                    .019, colors[i % 2])


def print_on(name, filename):
    """Returns a printed material with the sheen of a laminate."""
    return materials.picture(name, filename, rough=.45, spec=.22, coat=.08, coat_rough=.2)


def page_block(sheets, gap=.0009):
    """Builds the closed book's sections, smaller than the boards, with a concave fore edge.

    Each is round at its fold, next to the spine, and cut a little higher or lower than the next.
    """
    left, right = -WIDTH / 2 + INSET * .5, WIDTH / 2 - INSET
    inside = THICK / 2 - BOARD
    paper = materials.paper_edges('paper', *PAPER, sheets)
    ends = np.linspace(-inside, inside, SECTIONS + 1)
    cuts = np.random.default_rng(5).uniform(-.0015, .0015, SECTIONS)
    for y0, y1, cut in zip(ends, ends[1:], cuts):
        y0, y1 = y0 + gap / 2, y1 - gap / 2
        fore_edge = [(right - .05 * (1 - (y / inside) ** 2), y) for y in np.linspace(y0, y1, 3)]
        r = (y1 - y0) / 2
        fold = [(left + r - 2 * r * math.sin(a), (y0 + y1) / 2 + r * math.cos(a))
                for a in np.linspace(0, math.pi, 9)]
        shapes.slab('section', fore_edge + fold, INSET, HEIGHT - INSET + cut, paper, bevel=0)


def spine(material, steps=24):
    """Builds the slightly rounded spine. The UV map makes the title readable from outside."""
    verts, faces, uvs = [], [], []
    for i in range(steps + 1):
        f = i / steps
        x = -WIDTH / 2 - .018 * math.sin(math.pi * f) ** .7 - .004
        verts += [(x, THICK * (f - .5), 0), (x, THICK * (f - .5), HEIGHT)]
    for i in range(steps):
        u0, u1 = 1 - i / steps, 1 - (i + 1) / steps
        faces.append((2 * i + 2, 2 * i, 2 * i + 1, 2 * i + 3))
        uvs.append(((u1, 0), (u0, 0), (u0, 1), (u1, 1)))
    arc = shapes.mesh('spine', verts, faces, material, uvs)
    thickness = arc.modifiers.new('thickness', 'SOLIDIFY')
    thickness.thickness = .02
    thickness.offset = -1


def open_book():
    """Builds the book open at the middle, bottom of the pages toward -y, with a ribbon."""
    shapes.slab('boards', shapes.rounded_rect(2 * WIDTH + .2, HEIGHT, .02, 3), 0, BOARD,
                materials.plain('boards', NAVY, rough=.45, spec=.22, coat=.08, coat_rough=.2),
                bevel=.008)
    paper = materials.paper_edges('paper', *PAPER, 85)
    tall = HEIGHT - 2 * INSET
    for side, picture in ((-1, 'book-left-page.png'), (1, 'book-right-page.png')):
        sheet = page_curve()
        outline = [(0, BOARD)] + [(WIDTH - INSET + .02, BOARD)] + sheet[::-1]
        block = shapes.slab('pages', [(side * x, z) for x, z in outline][::side], -tall / 2, tall / 2,
                            paper, bevel=0)
        block.matrix_world = shapes.FACE_FRONT
        page(sheet[::side], side, tall, materials.picture('page', picture, rough=.9, spec=.1))
    ribbon()


def page_curve():
    """Returns the curve of the top page from the gutter outward, as (x, height)."""
    return [(x, BOARD + .012 + .112 * (1 - math.exp(-x / .13)) - .022 * x ** 2)
            for x in (WIDTH - INSET - .02) * np.linspace(0, 1, 40) ** 1.6]


def page(sheet, side, tall, material):
    """Builds a printed page. The UV map follows the paper, so that the bend does not stretch the text."""
    length = np.cumsum([0] + [math.dist(a, b) for a, b in zip(sheet, sheet[1:])])
    share = length / length[-1]
    verts = [(side * x, y * tall / 2, z + .002) for x, z in sheet for y in (-1, 1)]
    faces, uvs = [], []
    for i in range(len(sheet) - 1):
        faces.append((2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1))
        uvs.append(((share[i], 0), (share[i + 1], 0), (share[i + 1], 1), (share[i], 1)))
    shapes.mesh('page', verts, faces, material, uvs)


def ribbon():
    """Builds the apricot ribbon from the top through the gutter and out at the bottom."""
    path = [(1.10, .062), (.5, .060), (-.6, .060), (-1.10, .062), (-1.17, .056), (-1.21, .030),
            (-1.26, .008), (-1.50, .006)]
    verts = [(x + .03 * (y < -1.2) * (y + 1.2), y, z) for y, z in path for x in (-.032, .032)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(path) - 1)]
    shapes.mesh('ribbon', verts, faces, materials.plain('ribbon', '#e8942e', rough=.6))


def book_on_desk():
    """Builds an open copy with a closed one standing behind it, back cover to the front."""
    studio.group('open', open_book)
    root, _ = studio.group('closed', book)
    studio.place(root, .60, 1.55, 0, turn=196)


def book_and_pencil():
    """Builds the closed book, lying on its back cover, with a pencil of 19 cm in front of it."""
    root, _ = studio.group('closed', book)
    root.matrix_world = move(0, -HEIGHT / 2, THICK / 2) @ Matrix.Rotation(math.radians(-90), 4, 'X')
    root, _ = studio.group('pencil', pencil)
    root.matrix_world = (move(-.86, -1.62, .037) @ Matrix.Rotation(math.radians(-5), 4, 'Z')
                         @ Matrix.Rotation(math.radians(90), 4, 'Y')
                         @ Matrix.Rotation(math.radians(90), 4, 'Z'))


def pencil():
    """Builds a hexagonal pencil of 7.4 mm along z, with its eraser at the origin."""
    paint = materials.plain('paint', '#2f6f79', rough=.35, coat=.4)
    wood = materials.plain('wood', '#d9b483', rough=.7)
    lead = materials.plain('lead', (.02, .02, .022), rough=.4)
    brass = materials.plain('brass', (.62, .55, .38), rough=.35, metal=.8)
    hexagon = [(.037 * math.cos(a), .037 * math.sin(a)) for a in np.radians(range(0, 360, 60))]
    shapes.slab('pencil', hexagon, .16, 1.70, paint, bevel=.004)
    shapes.lathe('wood', [(.0345, 1.70), (.009, 1.86)], wood, segments=48)
    shapes.lathe('lead', [(.009, 1.86), (.0015, 1.90), (0, 1.90)], lead, segments=24)
    shapes.lathe('ferrule', [(0, .06), (.037, .06), (.037, .08), (.034, .085), (.037, .09),
                             (.037, .13), (.034, .135), (.037, .14), (.037, .165)], brass,
                 segments=48)
    shapes.lathe('eraser', shapes.round_profile(.033, 0, .07, .015, 0),
                 materials.plain('eraser', '#d98a86', rough=.8), segments=48)


PICTURES = {
    'book': partial(shots.product, book, az=-40, el=20, margin=.11, samples=32),
    'book-2': partial(shots.product, book_on_desk, az=-18, el=29, margin=.06,
                      light={'key': .86}),
    'book-3': partial(shots.detail, book_close, az=-62, el=40, target=(-.70, 0, 2.30), width=.62),
    'book-4': partial(shots.product, book_and_pencil, az=-24, el=30, margin=.07, turn=-14),
}
