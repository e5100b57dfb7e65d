"""The three kinds of picture: a product or a detail of it on a transparent background, or a banner.

A scene's PICTURES maps each picture's name to one of these functions with its options.
"""
import math

import bpy
from mathutils import Matrix, Vector

import post
import studio

SQUARE = (1280, 1280)
# black backs: more and larger lights
BEHIND = {'world': .50, 'key': 1.5, 'rim': 2.0, 'fill': 1.3, 'soft': 1.5}
DRAFT_SCALE = .32
DRAFT_SAMPLES = 48
FINE_SAMPLES = 64


def product(build, path, draft, az, el, margin, size=SQUARE, turn=0, samples=24, fine=False,
            light=None):
    """Renders a product on a transparent background.

    az, el   camera direction in degrees (az 0 = front, negative = from the left; el = from above)
    turn     rotation of the product in degrees; the lights stay with the camera
    margin   free fraction of the frame on each side
    fine     more samples than `samples`, lightly denoised
    light    factors for studio.softboxes, and `world`, the strength of the gray dome
    """
    width, height, samples = resolution(size, FINE_SAMPLES if fine else samples, draft)
    objects = set_up(build, width, height, samples, turn)
    _, center, radius = studio.frame(objects, az, el, margin, aspect=height / width)
    illuminate(center, radius, light)
    post.product_shot(path, objects, studio.floor(), samples, fine)


def set_up(build, width, height, samples, turn):
    """Builds the product in an empty scene, rotated by `turn` degrees. Returns its objects."""
    studio.reset()
    studio.settings(width, height, samples)
    root, objects = studio.group(build.__name__, build)
    studio.place(root, turn=turn)
    bpy.context.view_layer.update()
    return objects


def illuminate(center, radius, light):
    """Adds the gray dome and the softboxes."""
    light = {'world': .38} | (light or {})
    studio.world(light.pop('world'))
    studio.softboxes(center, radius, **light)


def detail(build, path, draft, az, el, target, width, turn=0, light=None):
    """Renders a detail that fills the frame: `width` units around the point `target`.

    The point belongs to the product before its rotation by `turn` degrees.
    """
    side, _, samples = resolution(SQUARE, FINE_SAMPLES, draft)
    objects = set_up(build, side, side, samples, turn)
    _, center, radius = studio.frame(objects, az, el, margin=.1)
    studio.frame_detail(Matrix.Rotation(math.radians(turn), 4, 'Z') @ Vector(target), az, el, width)
    illuminate(center, radius, light)
    post.product_shot(path, objects, studio.floor(), samples, fine=True)


def banner(build, path, draft, size, ground_color=None):
    """Renders a banner, which has its own set, lights and camera."""
    width, height, samples = resolution(size, FINE_SAMPLES, draft)
    studio.reset()
    studio.settings(width, height, samples, transparent=False)
    build()
    post.full_shot(path, samples, ground_color)


def resolution(size, samples, draft):
    """Returns width, height and samples, reduced for drafts."""
    if not draft:
        return *size, samples
    return *(round(side * DRAFT_SCALE) for side in size), DRAFT_SAMPLES
