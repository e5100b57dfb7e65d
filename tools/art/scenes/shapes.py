"""Geometry. Lengths are in units of 10 cm, angles in degrees unless noted.

Hard edges get a small bevel, because real edges catch the light.
"""
import math

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

FACE_FRONT = Matrix.Rotation(math.radians(90), 4, 'X')      # local +z faces the front (-y)
FACE_BACK = Matrix.Rotation(math.radians(-90), 4, 'X')      # local +z faces the back (+y)
FACE_LEFT = Matrix.Rotation(math.radians(-90), 4, 'Y')      # local +z faces left (-x)


def move(x, y, z):
    """Returns a translation matrix."""
    return Matrix.Translation((x, y, z))


def mesh(name, verts, faces, material=None, uvs=None, smooth_angle=35, bevel=0.0,
         bevel_segments=3, subdivide=0):
    """Creates a mesh object. `uvs` has one (u, v) per corner for each face."""
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(v) for v in verts], [], faces)
    data.update()
    if uvs is not None:
        layer = data.uv_layers.new(name='UV')
        for polygon in data.polygons:
            for corner, loop in enumerate(polygon.loop_indices):
                layer.data[loop].uv = uvs[polygon.index][corner]
    if material:
        data.materials.append(material)
    data.polygons.foreach_set('use_smooth', [True] * len(data.polygons))
    data.use_auto_smooth = True
    data.auto_smooth_angle = math.radians(smooth_angle)
    item = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(item)
    if bevel:
        modifier = item.modifiers.new('bevel', 'BEVEL')
        modifier.width = bevel
        modifier.segments = bevel_segments
        modifier.limit_method = 'ANGLE'
        modifier.angle_limit = math.radians(30)
        modifier.harden_normals = True
    if subdivide:
        modifier = item.modifiers.new('subdivide', 'SUBSURF')
        modifier.levels = subdivide
        modifier.render_levels = subdivide
    return item


def lathe(name, profile, material=None, segments=128, smooth_angle=35, **options):
    """Revolves a profile of (radius, z) around z. UV: u = once around, v = length along the profile."""
    length = [0]
    for (r0, z0), (r1, z1) in zip(profile, profile[1:]):
        length.append(length[-1] + math.hypot(r1 - r0, z1 - z0))
    verts = []
    for radius, z in profile:
        radius = max(radius, 1e-5)
        for s in range(segments):
            a = 2 * math.pi * s / segments
            verts.append((radius * math.cos(a), radius * math.sin(a), z))
    faces, uvs = [], []
    for row in range(len(profile) - 1):
        for s in range(segments):
            t = (s + 1) % segments
            below, above = row * segments, (row + 1) * segments
            faces.append((below + s, below + t, above + t, above + s))
            u0, u1 = s / segments, (s + 1) / segments
            v0, v1 = length[row], length[row + 1]
            uvs.append(((u0, v0), (u1, v0), (u1, v1), (u0, v1)))
    return mesh(name, verts, faces, material, uvs, smooth_angle=smooth_angle, **options)


def round_profile(radius, z0, z1, lower, upper, steps=6):
    """Returns the profile of a closed cylinder with rims rounded by `lower` and `upper`."""
    angles = [i * math.pi / 2 / steps for i in range(steps + 1)]
    profile = [(0, z0)]
    if lower:
        profile += [(radius - lower + lower * math.sin(a), z0 + lower - lower * math.cos(a))
                    for a in angles]
    else:
        profile.append((radius, z0))
    if upper:
        profile += [(radius - upper + upper * math.cos(a), z1 - upper + upper * math.sin(a))
                    for a in angles]
    else:
        profile.append((radius, z1))
    return profile + [(0, z1)]


def superellipse(a, b, n=2.5, count=32):
    """Returns an outline between an ellipse (n = 2) and a box (large n). a and b are the half axes."""
    outline = []
    for i in range(count):
        t = 2 * math.pi * i / count
        c, s = math.cos(t), math.sin(t)
        outline.append((a * math.copysign(abs(c) ** (2 / n), c),
                        b * math.copysign(abs(s) ** (2 / n), s)))
    return outline


def loft(name, rings, material=None, subdivide=2, smooth_angle=60, **options):
    """Connects rings of equal point counts, closes the ends and rounds the result by subdivision."""
    count = len(rings[0])
    verts = [point for ring in rings for point in ring]
    faces = []
    for row in range(len(rings) - 1):
        for s in range(count):
            t = (s + 1) % count
            below, above = row * count, (row + 1) * count
            faces.append((below + s, below + t, above + t, above + s))
    for row in (0, len(rings) - 1):
        middle = len(verts)
        verts.append(tuple(np.mean(rings[row], axis=0)))
        for s in range(count):
            t = (s + 1) % count
            ring = row * count
            if row == 0:
                faces.append((middle, ring + t, ring + s))
            else:
                faces.append((middle, ring + s, ring + t))
    return mesh(name, verts, faces, material, smooth_angle=smooth_angle, subdivide=subdivide,
                **options)


def rounded_rect(width, height, radius, steps=8):
    """Returns the outline of a rectangle with round corners, centered on the origin."""
    x, y = width / 2 - radius, height / 2 - radius
    outline = []
    for cx, cy, start in ((x, y, 0), (-x, y, 90), (-x, -y, 180), (x, -y, 270)):
        for i in range(steps + 1):
            a = math.radians(start + 90 * i / steps)
            outline.append((cx + radius * math.cos(a), cy + radius * math.sin(a)))
    return outline


def circle(radius, count=128):
    """Returns the outline of a circle."""
    return [(radius * math.cos(a), radius * math.sin(a))
            for a in np.linspace(0, 2 * math.pi, count + 1)[:-1]]


def slab(name, outline, z0, z1, material=None, bevel=.01, bevel_segments=3, mirror_u=False):
    """Extrudes an outline from z0 to z1. UV = 0..1 over its bounding box; `mirror_u` is for back sides."""
    n = len(outline)
    verts = [(x, y, z0) for x, y in outline] + [(x, y, z1) for x, y in outline]
    faces = [tuple(range(n - 1, -1, -1)), tuple(range(n, 2 * n))]
    faces += [(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)]
    xs = [p[0] for p in outline]
    ys = [p[1] for p in outline]
    x0, y0 = min(xs), min(ys)
    width, height = max(xs) - x0, max(ys) - y0

    def uv(vertex):
        u = (verts[vertex][0] - x0) / width
        return (1 - u if mirror_u else u, (verts[vertex][1] - y0) / height)

    uvs = [[uv(v) for v in face] for face in faces]
    return mesh(name, verts, faces, material, uvs, smooth_angle=30, bevel=bevel,
                bevel_segments=bevel_segments)


def strip(name, path, width, thickness, material, bevel=.008):
    """Creates a bent metal strip: a path of (y, z), with its thickness on the left, `width` along x."""
    path = np.array(path)
    along = np.diff(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    left = np.stack([-along[:, 1], along[:, 0]], 1)
    miter = left[[0, *range(len(left))]] + left[[*range(len(left)), -1]]
    miter *= 2 / (miter ** 2).sum(1)[:, None]
    outline = [*map(tuple, path), *map(tuple, (path + miter * thickness)[::-1])]
    item = slab(name, outline, -width / 2, width / 2, material, bevel=bevel)
    item.data.transform(Matrix(((0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1))))
    return item


def tube(name, points, radius, material=None, closed=False):
    """Creates a round wire along a smooth curve through the points."""
    curve = bpy.data.curves.new(name, 'CURVE')
    curve.dimensions = '3D'
    curve.bevel_depth = radius
    curve.bevel_resolution = 8
    curve.resolution_u = 16
    curve.use_fill_caps = True
    spline = curve.splines.new('BEZIER')
    spline.bezier_points.add(len(points) - 1)
    spline.use_cyclic_u = closed
    for knot, point in zip(spline.bezier_points, points):
        knot.co = point
        knot.handle_left_type = knot.handle_right_type = 'AUTO'
    if material:
        curve.materials.append(material)
    item = bpy.data.objects.new(name, curve)
    bpy.context.collection.objects.link(item)
    return item


def ring(name, radius, wire, material, z=0.0, x=0.0, y=0.0):
    """Creates a thin horizontal ring."""
    points = [(x + radius * math.cos(a), y + radius * math.sin(a), z)
              for a in np.linspace(0, 2 * math.pi, 13)[:-1]]
    return tube(name, points, wire, material, closed=True)


# Curved screens -----------------------------------------------------------------------------------
def bend(x, y, radius):
    """Maps (x, y) from flat to curved, with the screen's ends toward the viewer (-y)."""
    a = x / radius
    return radius * math.sin(a), y - radius * (1 - math.cos(a))


def bent_box(name, width, z0, z1, y0, y1, radius, material, columns=96, bevel=.03,
             bevel_segments=3):
    """Creates a box of thickness y0..y1, bent with `radius`."""
    verts = []
    for i in range(columns + 1):
        x = -width / 2 + width * i / columns
        for y, z in ((y0, z0), (y1, z0), (y1, z1), (y0, z1)):
            verts.append((*bend(x, y, radius), z))
    faces = [(3, 2, 1, 0), tuple(columns * 4 + k for k in range(4))]
    for i in range(columns):
        for k in range(4):
            j = (k + 1) % 4
            faces.append((i * 4 + k, i * 4 + j, (i + 1) * 4 + j, (i + 1) * 4 + k))
    item = mesh(name, verts, faces, material, smooth_angle=30, bevel=bevel,
                bevel_segments=bevel_segments)
    work = bmesh.new()
    work.from_mesh(item.data)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    work.to_mesh(item.data)
    work.free()
    item.data.polygons.foreach_set('use_smooth', [True] * len(item.data.polygons))
    return item


def bent_sheet(name, width, z0, z1, y, radius, material, columns=128):
    """Creates a bent sheet without thickness and with UV 0..1, for the lit area of a screen."""
    verts, faces, uvs = [], [], []
    for i in range(columns + 1):
        px, py = bend(-width / 2 + width * i / columns, y, radius)
        verts += [(px, py, z0), (px, py, z1)]
    for i in range(columns):
        faces.append((2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1))
        u0, u1 = i / columns, (i + 1) / columns
        uvs.append(((u0, 0), (u1, 0), (u1, 1), (u0, 1)))
    return mesh(name, verts, faces, material, uvs)
