import { openHostForFile } from "./emulator.ts";

openHostForFile();
