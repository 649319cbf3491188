import path from "node:path";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { packagesFolder } from "../package-file.ts";

const fonts = {
  Latin: "@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf",
  Chinese: "@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
};
for (const [name, file] of Object.entries(fonts)) GlobalFonts.registerFromPath(path.join(packagesFolder, file), `Scan ${name}`);

/** Returns a picture with lines of text, as a PNG. */
export function scan(lines: readonly string[], font: keyof typeof fonts = "Latin"): Buffer {
  const canvas = createCanvas(1_000, 120 + lines.length * 80);
  const context = canvas.getContext("2d");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "black";
  context.font = `40px Scan ${font}`;
  for (const [at, line] of lines.entries()) context.fillText(line, 50, 100 + at * 80);
  return canvas.toBuffer("image/png");
}
