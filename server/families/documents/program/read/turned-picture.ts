/** Degrees clockwise. */
export const turns = [0, 90, 180, 270] as const;
export type Turn = (typeof turns)[number];

/** Side in pixels of a picture that is only compared with its own turns. */
const smallSide = 1_500;
const maxPixels = 100_000_000;

/** Returns the picture turned and, for a comparison, made small; null when this machine cannot, or the kind of picture is unknown. */
export async function turnedPicture(image: Uint8Array, turn: Turn, { isSmall = false } = {}): Promise<Uint8Array | null> {
  const loaded = await import("sharp").catch(() => null);
  if (!loaded) return null;
  const turned = (bytes: Uint8Array) => {
    const upright = loaded.default(bytes, { limitInputPixels: maxPixels }).autoOrient().rotate(turn).flatten({ background: "white" });
    const sized = isSmall ? upright.resize({ width: smallSide, height: smallSide, fit: "inside", withoutEnlargement: true }) : upright;
    return sized.png({ compressionLevel: 1 }).toBuffer();
  };
  try {
    return await turned(image);
  } catch {
    const drawn = await drawnAgain(image);
    return drawn && turned(drawn).catch(() => null);
  }
}

/** Draws kinds of pictures that sharp does not read, such as BMP. */
async function drawnAgain(image: Uint8Array): Promise<Uint8Array | null> {
  try {
    const { createCanvas, loadImage } = await import("@napi-rs/canvas");
    const picture = await loadImage(image);
    if (picture.width * picture.height > maxPixels) return null;
    const canvas = createCanvas(picture.width, picture.height);
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return await canvas.encode("png");
  } catch {
    return null;
  }
}
