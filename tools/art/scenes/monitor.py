"""Curved 27-inch monitor: lit area 61 x 34 cm, curve radius 125 cm."""
from functools import partial

import shots
from curved_screen import GLOSS, curved_screen


def monitor(**position):
    """Builds the monitor on its stand."""
    curved_screen(width=6.1, height=3.43, radius=12.5, picture='monitor-screen.png',
                  foot=(2.5, 1.9), **position)


def monitor_adjusted():
    """Builds the monitor with its screen raised and tilted."""
    monitor(lift=2.0, tilt=16)


PICTURES = {
    'monitor': partial(shots.product, monitor, az=-33, el=10, margin=.07,
                       light=GLOSS),
    'monitor-2': partial(shots.product, monitor, az=-24, el=14, margin=.07, turn=192,
                         fine=True, light=shots.BEHIND),
    'monitor-3': partial(shots.detail, monitor, az=-14, el=12, turn=180, target=(1.30, .42, 1.98),
                         width=1.90, light=shots.BEHIND),
    'monitor-4': partial(shots.product, monitor_adjusted, az=-62, el=10, margin=.07,
                         fine=True, light=GLOSS),
}
