/** A picture that stands in a line of text. Sizes are in parts of the font size; the base line lies between ascent and descent. */
export type Drawing = { svg: string; width: number; ascent: number; descent: number };
