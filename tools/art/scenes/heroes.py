"""The banners: one set (cove, arches, pedestals), two compositions, each by day and in the evening."""
import math
import sys
from functools import partial

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

import materials
import shapes
import shots
import studio
from book import book
from mixer import mixer
from monitor import monitor
from speaker import speaker
from tablet import tablet
from ultrawide import ultrawide

WALL_Y = 8.0          # the back wall of the cove


def palette(evening):
    """Returns the materials of the set by name."""
    if evening:
        return {
            'wall': materials.plain('wall', '#2b3670', rough=.9, spec=.15),
            'terracotta': materials.plain('terracotta', '#5d3f7d', rough=.85, spec=.2),
            'sand': materials.plain('sand', '#8e86ad', rough=.6),
            'teal': materials.plain('teal', '#2a5a80', rough=.55),
            'cream': materials.plain('cream', '#a49dc0', rough=.6),
        }
    return {
        'wall': materials.plain('wall', '#f2b27a', rough=.9, spec=.15),
        'terracotta': materials.plain('terracotta', '#e58f5b', rough=.85, spec=.2),
        'sand': materials.plain('sand', '#f7d3ad', rough=.6),
        'teal': materials.plain('teal', '#2f6f79', rough=.55),
        'cream': materials.plain('cream', '#fbeedd', rough=.6),
    }


def cove(material):
    """Builds floor and wall as one bent sheet, which hides the horizon."""
    bend_radius, steps = 3.0, 16
    profile = [(-60, 0)]
    for i in range(steps + 1):
        angle = i * math.pi / 2 / steps
        profile.append((WALL_Y - bend_radius + bend_radius * math.sin(angle),
                        bend_radius - bend_radius * math.cos(angle)))
    profile.append((WALL_Y, 60))
    verts = [(x, y, z) for y, z in profile for x in (-90, 90)]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)]
    shapes.mesh('cove', verts, faces, material, smooth_angle=60)


def disc(x, z, radius, material, y=WALL_Y - .35):
    """Builds a thin round plate in front of the wall."""
    plate = shapes.slab('disc', shapes.circle(radius), 0, .25, material, bevel=.04)
    plate.matrix_world = shapes.move(x, y, z) @ shapes.FACE_FRONT


def arch(x, width, height, material, y, thickness=.5):
    """Builds a panel with a round top on the floor."""
    r = width / 2
    outline = [(r, 0)]
    outline += [(r * math.cos(a), height - r + r * math.sin(a))
                for a in np.linspace(0, math.pi, 49)]
    outline += [(-r, 0)]
    panel = shapes.slab('arch', outline, 0, thickness, material, bevel=.05)
    panel.matrix_world = shapes.move(x, y, 0) @ shapes.FACE_FRONT


def pedestal(x, y, radius, height, material):
    """Builds a round pedestal with a soft upper rim."""
    shapes.lathe('pedestal', shapes.round_profile(radius, 0, height, .03, .07), material,
                 segments=160).location = (x, y, 0)


def plinth(x, y, width, depth, height, material):
    """Builds a long pedestal with round ends, for wide products."""
    outline = shapes.rounded_rect(width, depth, depth / 2 - .01, 24)
    shapes.slab('plinth', outline, 0, height, material, bevel=.07).location = (x, y, 0)


def stand(build, x, y, z, turn=0):
    """Places a product at (x, y, z), rotated by `turn` degrees. Returns its objects."""
    root, objects = studio.group(build.__name__, build)
    studio.place(root, x, y, z, turn)
    return objects


def aim(location, target, lens, shift_y):
    """Adds a camera at `location` that points at `target`. `lens` is in mm.

    `shift_y` moves the frame by a fraction of its width and keeps vertical lines vertical.
    """
    camera = studio.new_camera(lens)
    camera.data.shift_y = shift_y
    camera.location = location
    direction = Vector(target) - Vector(location)
    camera.rotation_euler = direction.to_track_quat('-Z', 'Y').to_euler()
    return camera


def report(camera, placed):
    """Prints the bounding box of each product as fractions of the frame from its lower left."""
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    for name, objects in placed.items():
        corners = []
        for item in objects:
            if item.type not in ('MESH', 'CURVE'):
                continue
            evaluated = item.evaluated_get(graph)
            for corner in evaluated.bound_box:
                point = evaluated.matrix_world @ Vector(corner)
                corners.append(world_to_camera_view(scene, camera, point))
        xs = [c.x for c in corners]
        ys = [c.y for c in corners]
        print('%-10s x %.2f..%.2f  y %.2f..%.2f' % (name, min(xs), max(xs), min(ys), max(ys)),
              file=sys.stderr)


def lights(center, k=1.0):
    """Adds large, distant lights around `center`, for an even floor and soft shadows.

    `k` scales their watts. There is no rim light: it drew bright lines on dark screen edges.
    """
    x, y, z = center
    bpy.context.scene.cycles.diffuse_bounces = 3
    studio.world(.36)
    studio.area('key', (x - 22, y - 34, z + 32), center, 9, 9, 19000 * k, (1, .96, .90))
    studio.area('fill', (x + 26, y - 26, z + 10), center, 12, 12, 3600 * k, (.92, .96, 1))
    studio.area('top', (x + 1, y - 1, z + 14), (x, y, z), 18, 5, 900 * k)


def evening_lights(left, right):
    """Adds the evening's lights: a blue sky, a warm lamp on the right, and a hidden lamp behind the
    monitors that lights the wall. `left` and `right` are the ends of the group of products, as x.
    """
    studio.world(.05)
    middle, width = (left + right) / 2, right - left
    studio.area('sky', (left - 14, -26, 22), (middle, 0, 2), 14, 14, 7000, (.46, .58, 1))
    studio.area('lamp', (right + 4, -18, 15), (right - .3 * width, 0, 2), 5, 5, 9500, (1, .66, .36))

    glow = bpy.data.lights.new('glow', 'POINT')
    glow.energy = 3200
    glow.color = (1, .46, .20)
    glow.shadow_soft_size = 1.2
    hidden = bpy.data.objects.new('glow', glow)
    bpy.context.collection.objects.link(hidden)
    hidden.location = (middle, 5.6, 4.6)
    hidden.visible_glossy = False


def wide(evening=False):
    """Headline on the left, products on the right, only floor and pedestals in the lowest 30%."""
    c = palette(evening)
    cove(c['wall'])
    disc(8.6, 5.4, 4.9, c['terracotta'])
    arch(1.6, 5.0, 7.3, c['teal'], 6.6)
    arch(16.5, 5.2, 8.2, c['cream'], 6.6)

    plinth(8.3, 3.4, 9.4, 3.4, 2.5, c['cream'])
    pedestal(2.3, 1.2, 2.75, 1.15, c['sand'])
    pedestal(16.2, .6, 2.4, 1.25, c['sand'])
    pedestal(7.2, -.7, 2.0, .75, c['cream'])
    pedestal(10.1, -1.6, 1.05, .95, c['teal'])
    pedestal(12.35, -1.9, .95, 1.15, c['sand'])

    placed = {
        'ultrawide': stand(ultrawide, 8.3, 3.4, 2.5, -4),
        'monitor': stand(monitor, 2.3, 1.3, 1.15, 14),
        'mixer': stand(mixer, 16.2, .6, 1.25, -4),
        'tablet': stand(tablet, 7.2, -.7, .75, 4),
        'book': stand(book, 10.1, -1.6, .95, 16),
        'speaker': stand(speaker, 12.35, -1.9, 1.15),
    }
    camera = aim((4.0, -60, 12.5), (4.0, 0, 3.2), 73, shift_y=-.020)
    if evening:
        evening_lights(0, 19)
    else:
        lights((6, 0, 2))
    report(camera, placed)


def tall(evening=False):
    """Headline in the upper 40%, products in the middle, floor below."""
    c = palette(evening)
    cove(c['wall'])
    disc(.6, 1.6, 5.4, c['terracotta'])
    arch(-5.6, 4.4, 6.6, c['teal'], 6.6)
    arch(6.2, 4.2, 6.9, c['cream'], 6.6)

    plinth(.4, 3.4, 9.0, 3.2, 2.3, c['cream'])
    pedestal(-4.9, .6, 2.6, .8, c['sand'])
    pedestal(5.9, .4, 2.3, .9, c['sand'])
    pedestal(-.7, -1.6, 1.9, .55, c['cream'])
    pedestal(2.2, -2.4, 1.0, .75, c['teal'])
    pedestal(4.1, -3.2, .92, .5, c['sand'])

    placed = {
        'ultrawide': stand(ultrawide, .4, 3.4, 2.3, -3),
        'monitor': stand(monitor, -4.9, .7, .8, 14),
        'mixer': stand(mixer, 5.9, .4, .9, -4),
        'tablet': stand(tablet, -.7, -1.6, .55, 4),
        'book': stand(book, 2.2, -2.4, .75, 16),
        'speaker': stand(speaker, 4.1, -3.2, .5),
    }
    camera = aim((0, -60, 16.5), (0, 0, 3.2), 130, shift_y=.118)
    if evening:
        evening_lights(-8, 8)
    else:
        lights((0, 0, 2))
    report(camera, placed)


WIDE = {'size': (3840, 1382)}
TALL = {'size': (1200, 1467)}
EVENING = {'ground_color': (14 / 255, 20 / 255, 27 / 255)}      # the dark theme's page color

PICTURES = {
    'hero': partial(shots.banner, wide, **WIDE),
    'hero-night': partial(shots.banner, partial(wide, evening=True), **WIDE, **EVENING),
    'hero-tall': partial(shots.banner, tall, **TALL),
    'hero-tall-night': partial(shots.banner, partial(tall, evening=True), **TALL, **EVENING),
}
