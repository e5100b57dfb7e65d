"""Renders and post-processes a scene: two half renders, denoising, soft shadow, compositing.

Debian's Blender has no Open Image Denoise, so this file has a denoiser in NumPy.
Pictures are float32 arrays (height, width, 4), bottom row first.
"""
import os
import shutil
import tempfile

import bpy
import numpy as np

SEED_A, SEED_B, SEED_SHADOW = 11, 29, 5     # fixed, so that every run gives the same picture


# Files ------------------------------------------------------------------------------------------
def load(path):
    """Reads a PNG (straight alpha) or EXR (premultiplied alpha) without color conversion."""
    image = bpy.data.images.load(path, check_existing=False)
    image.colorspace_settings.name = 'Non-Color'
    image.alpha_mode = 'STRAIGHT' if path.endswith('png') else 'PREMUL'
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)


def save(path, picture):
    """Writes an 8-bit PNG."""
    height, width = picture.shape[:2]
    image = bpy.data.images.new('result', width, height, alpha=True)
    image.alpha_mode = 'STRAIGHT'
    image.pixels.foreach_set(np.clip(picture, 0, 1).astype(np.float32).ravel())
    image.filepath_raw = path
    image.file_format = 'PNG'
    image.save()
    bpy.data.images.remove(image)


# Small filters ----------------------------------------------------------------------------------
def smooth(t):
    """Smoothstep: 0 at t = 0, 1 at t = 1."""
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def box(a, radius):
    """Returns the mean over squares of 2 * radius + 1 pixels. Repeats the edges."""
    size = 2 * radius + 1
    for axis in (0, 1):
        first = np.repeat(np.take(a, [0], axis), radius + 1, axis)
        last = np.repeat(np.take(a, [-1], axis), radius, axis)
        total = np.cumsum(np.concatenate([first, a, last], axis), axis, dtype=np.float64)
        high = np.take(total, range(size, total.shape[axis]), axis)
        low = np.take(total, range(0, total.shape[axis] - size), axis)
        a = ((high - low) / size).astype(np.float32)
    return a


def blur(a, radius):
    """Approximates a Gaussian blur with three box filters."""
    for _ in range(3):
        a = box(a, radius)
    return a


def shift(a, dy, dx):
    """Moves the picture by whole pixels and wraps around."""
    return np.roll(a, (dy, dx), (0, 1))


def mean3(a):
    """Returns the mean over 3 x 3 pixels and wraps around. Faster than box(a, 1)."""
    a = np.roll(a, 1, 0) + a + np.roll(a, -1, 0)
    return (np.roll(a, 1, 1) + a + np.roll(a, -1, 1)) / 9


def enlarge(a, height, width):
    """Enlarges a grayscale picture with bilinear interpolation."""
    y = np.clip((np.arange(height) + .5) * a.shape[0] / height - .5, 0, a.shape[0] - 1)
    x = np.clip((np.arange(width) + .5) * a.shape[1] / width - .5, 0, a.shape[1] - 1)
    y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int)
    y1, x1 = np.minimum(y0 + 1, a.shape[0] - 1), np.minimum(x0 + 1, a.shape[1] - 1)
    fy, fx = (y - y0)[:, None], (x - x0)[None]
    lower = a[y0][:, x0] * (1 - fx) + a[y0][:, x1] * fx
    upper = a[y1][:, x0] * (1 - fx) + a[y1][:, x1] * fx
    return lower * (1 - fy) + upper * fy


# Denoising --------------------------------------------------------------------------------------
def denoise(a, b, features, reach=5, strength=.6):
    """Denoises with non-local means over two independent renders (premultiplied, display colors).

    The similarity of 3 x 3 patches in one render is the weight of pixels in the other, so that
    noise does not match itself. (a - b)^2 / 2 estimates the variance. `features` (normals and
    surface colors, almost free of noise) keep edges and print sharp.
    """
    variance = np.maximum(blur(((a - b) ** 2 / 2)[..., :3].mean(2), 3), 2e-6)

    def filtered(guide, source):
        total = np.zeros_like(source)
        weights = np.zeros(source.shape[:2], np.float32)
        for dy in range(-reach, reach + 1):
            for dx in range(-reach, reach + 1):
                there = shift(variance, dy, dx)
                distance = ((guide - shift(guide, dy, dx)) ** 2)[..., :3].mean(2)
                distance -= variance + np.minimum(variance, there)
                distance /= 1e-7 + strength ** 2 * (variance + there)
                weight = np.exp(-np.maximum(mean3(distance), 0))
                unlike = ((features - shift(features, dy, dx)) ** 2).sum(2)
                weight *= np.exp(-unlike / .02)
                total += weight[..., None] * shift(source, dy, dx)
                weights += weight
        return total / weights[..., None]

    return (filtered(b, a) + filtered(a, b)) / 2


# Rendering --------------------------------------------------------------------------------------
FEATURES = (('Normal', 'normal', .25), ('DiffCol', 'diffuse', 1.0), ('GlossCol', 'gloss', .5))


def feature_output(folder, on):
    """Turns the denoiser's feature passes on, written to `folder`, or off."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    layer.use_pass_normal = on
    layer.use_pass_diffuse_color = on
    layer.use_pass_glossy_color = on
    scene.use_nodes = on
    if not on:
        return
    tree = scene.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new('CompositorNodeRLayers')
    result = tree.nodes.new('CompositorNodeComposite')
    tree.links.new(layers.outputs['Image'], result.inputs[0])
    files = tree.nodes.new('CompositorNodeOutputFile')
    files.base_path = folder
    files.format.file_format = 'OPEN_EXR'
    files.format.color_depth = '32'
    files.format.color_mode = 'RGBA'
    files.file_slots.clear()
    for output, name, _ in FEATURES:
        files.file_slots.new(name)
        tree.links.new(layers.outputs[output], files.inputs[name])


def render_pass(path, seed, samples, percent=100):
    """Renders with the given seed and returns the picture."""
    scene = bpy.context.scene
    scene.cycles.seed = seed
    scene.cycles.samples = samples
    scene.render.resolution_percentage = percent
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    return load(path)


def beauty(samples):
    """Returns the picture without shadow, premultiplied: two half renders, denoised."""
    folder = tempfile.mkdtemp(prefix='render-')
    try:
        feature_output(folder, True)
        a = render_pass(os.path.join(folder, 'a.png'), SEED_A, samples // 2)
        feature_output(folder, False)
        b = render_pass(os.path.join(folder, 'b.png'), SEED_B, samples // 2)
        frame = bpy.context.scene.frame_current
        features = [load(os.path.join(folder, '%s%04d.exr' % (name, frame)))[..., :3] * weight
                    for _, name, weight in FEATURES]
    finally:
        shutil.rmtree(folder)
    for half in (a, b):
        half[..., :3] *= half[..., 3:]
    guide = np.nan_to_num(np.clip(np.concatenate(features, 2), -2, 2))
    return denoise(a, b, guide)


def shadow(objects, floor, samples=96):
    """Returns the shadow on the floor (0..1) without the product, rendered at a quarter of the size.

    It is sharp only where it is deep, at the contact, and smooth elsewhere.
    """
    floor.visible_camera = True
    floor.is_shadow_catcher = True
    for item in objects:
        item.visible_camera = False
    folder = tempfile.mkdtemp(prefix='render-')
    try:
        picture = render_pass(os.path.join(folder, 'shadow.png'), SEED_SHADOW, samples, 25)
    finally:
        shutil.rmtree(folder)
    for item in objects:
        item.visible_camera = True
    raw = picture[..., 3]
    pixel = raw.shape[0] / 250
    fine = blur(raw, max(1, round(pixel)))
    wide = blur(raw, max(1, round(7 * pixel)))
    return wide + (fine - wide) * smooth((fine - .25) / .4)


def product_shot(path, objects, floor, samples, depth=.78):
    """Saves a transparent picture of the product over its shadow (black with alpha).

    The camera does not see the floor, but the floor still reflects light onto the product.
    The faint outer part of the shadow is cut off, so that it does not touch the frame.
    """
    floor.is_shadow_catcher = False
    floor.visible_camera = False
    product = beauty(samples)
    height, width = product.shape[:2]
    dark = enlarge(shadow(objects, floor), height, width)
    dark = dark * smooth((dark - .02) / .40) * depth
    y = (np.arange(height) + .5) / height
    x = (np.arange(width) + .5) / width
    dark = dark * smooth(np.minimum(x, 1 - x) / .14)[None]
    dark = dark * smooth(np.minimum(y, 1 - y) / .10)[:, None]

    alpha = product[..., 3:]
    both = alpha + dark[..., None] * (1 - alpha)
    color = product[..., :3] / np.maximum(both, 1e-4)
    save(path, np.concatenate([color, both], 2))


def full_shot(path, samples):
    """Saves an opaque picture. Fixed noise of half a gray level prevents banding on smooth walls."""
    picture = beauty(samples)
    picture[..., 3] = 1
    noise = np.random.default_rng(7).random((*picture.shape[:2], 1)) - .5
    picture[..., :3] += noise / 255
    save(path, picture)
