import { SaxesParser } from "saxes";

/** Pictures inside of the SVG; another SVG is none of them, because it could name files itself. */
const inside = /^\s*(?:#|data:image\/(?:png|jpeg|gif)[;,])/;

/**
 * Refuses an SVG that names anything outside of itself, because the drawing library would open a path on this machine.
 * A document type is refused too: entities could grow without bound or hide an address.
 * @throws Error with the reason
 */
export function assertSelfContained(svg: string): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const refuse = (reason: string) => {
    throw new Error(reason);
  };
  parser.on("doctype", () => refuse("it declares a document type; remove that line."));
  parser.on("processinginstruction", () => refuse("it holds a processing instruction; remove that line."));
  parser.on("error", (error) => refuse(`it is not well-formed XML (${error.message}).`));
  parser.on("opentag", ({ name, attributes }) => {
    for (const [attribute, value] of Object.entries(attributes as Record<string, string>)) {
      // Any prefix may be bound to the namespace of links.
      if (attribute.split(":").at(-1)?.toLowerCase() !== "href" || inside.test(value)) continue;
      // A hyperlink is not drawn; its address is not opened.
      if (name.split(":").at(-1) === "a") continue;
      refuse(`it names ${value.trim().slice(0, 100)} outside of itself. Embed the picture as a data: address.`);
    }
  });
  parser.write(svg).close();
}
