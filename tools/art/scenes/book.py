"""Hardback of 15.5 x 23.5 cm and 224 pages: standing, and lying open on a desk."""
import math
from functools import partial

import numpy as np

import materials
import shapes
import shots
import studio
from shapes import move

WIDTH, HEIGHT, THICK = 1.55, 2.35, .25
BOARD, INSET = .03, .035        # thickness of the boards, and how far they extend past the pages
NAVY = '#12355b'
PAPER = ((.30, .235, .15), (.66, .58, .43))


def book():
    """Builds the closed book, upright, with the spine on the left (-x)."""
    front = print_on('front cover', 'book-front.png')
    back = print_on('back cover', 'book-back.png')
    outline = shapes.rounded_rect(WIDTH, HEIGHT, .012, 3)
    plate = shapes.slab('front board', outline, 0, BOARD, front, bevel=.006)
    plate.matrix_world = move(0, -THICK / 2 + BOARD, HEIGHT / 2) @ shapes.FACE_FRONT
    plate = shapes.slab('back board', outline, 0, BOARD, back, bevel=.006, mirror_u=True)
    plate.matrix_world = move(0, THICK / 2, HEIGHT / 2) @ shapes.FACE_FRONT
    page_block()
    spine(print_on('spine', 'book-spine.png'))
    shapes.tube('head band', [(-WIDTH / 2 + .02, y, HEIGHT - INSET - .005)
                              for y in np.linspace(-THICK / 2 + .04, THICK / 2 - .04, 5)],
                .018, materials.plain('head band', '#ffb703', rough=.7))


def print_on(name, filename):
    """Returns a printed material with the sheen of a laminate."""
    return materials.picture(name, filename, rough=.45, spec=.22, coat=.08, coat_rough=.2)


def page_block():
    """Builds the closed book's pages, smaller than the boards, with a concave fore edge."""
    left, right = -WIDTH / 2 + INSET * .5, WIDTH / 2 - INSET
    y = THICK / 2 - BOARD
    hollow = [(right - .05 * (1 - (2 * f - 1) ** 2), -y + 2 * y * f) for f in np.linspace(0, 1, 9)]
    shapes.slab('pages', [(left, -y)] + hollow + [(left, y)], INSET, HEIGHT - INSET,
                materials.paper_edges('paper', *PAPER, 85), bevel=0)


def spine(material, steps=24):
    """Builds the rounded spine. The UV map makes the title readable from outside."""
    verts, faces, uvs = [], [], []
    for i in range(steps + 1):
        f = i / steps
        x = -WIDTH / 2 - .05 * math.sin(math.pi * f) - .004
        verts += [(x, THICK * (f - .5), 0), (x, THICK * (f - .5), HEIGHT)]
    for i in range(steps):
        u0, u1 = 1 - i / steps, 1 - (i + 1) / steps
        faces.append((2 * i + 2, 2 * i, 2 * i + 1, 2 * i + 3))
        uvs.append(((u1, 0), (u0, 0), (u0, 1), (u1, 1)))
    arc = shapes.mesh('spine', verts, faces, material, uvs)
    thickness = arc.modifiers.new('thickness', 'SOLIDIFY')
    thickness.thickness = .03
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


PICTURES = {
    'book': partial(shots.product, book, az=-36, el=22, margin=.12),
    'book-2': partial(shots.product, book_on_desk, az=-18, el=29, margin=.06,
                      light={'key': .86}),
}
