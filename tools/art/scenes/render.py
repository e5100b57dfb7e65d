"""Renders one picture of a scene:

    blender -b --python-exit-code 1 -P render.py -- SCENE PICTURE FILE [--draft]
"""
import argparse
import importlib
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def main():
    """Parses the arguments after `--` and renders."""
    parser = argparse.ArgumentParser(prog='render.py --')
    parser.add_argument('scene')
    parser.add_argument('picture')
    parser.add_argument('file', type=os.path.abspath)
    parser.add_argument('--draft', action='store_true')
    options = parser.parse_args(sys.argv[sys.argv.index('--') + 1:])
    take = importlib.import_module(options.scene).PICTURES[options.picture]
    take(options.file, draft=options.draft)


main()
