import { DocumentError } from "../../document-error.ts";
import { readXml } from "../xml-events.ts";
import { openZip, type ZipContainer } from "../zip-container.ts";

const manifest = "META-INF/manifest.xml";

/** Opens an OpenDocument file. @throws DocumentError for one that opens with a password */
export async function openOdf(bytes: Uint8Array): Promise<ZipContainer> {
  const zip = await openZip(bytes);
  let isEncrypted = false;
  if (zip.has(manifest)) {
    await readXml(zip, manifest, {
      open: (name) => {
        if (name === "manifest:encryption-data") isEncrypted = true;
      },
    });
  }
  if (isEncrypted)
    throw new DocumentError("invalid", "The document is encrypted with a password. Ask for a copy without one, or for its text.");
  return zip;
}
