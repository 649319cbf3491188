import "server-only";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import type { Perform } from "./action-done";
import { elementOf, isFileField } from "./element-of";
import { quoted } from "./news";

/** Puts a file into a file field, or into the field that a button or a label opens. */
export const uploadFile: Perform = async (session, run) => {
  const { upload, ref, selector, timeout, signal } = run;
  if (!upload) throw new AppError("invalid", "upload needs `path`: a file of the workspace.");
  const element = await elementOf(session, run);
  const limits = { timeout, signal };
  const name = ref === undefined ? quoted(selector ?? "") : `@${ref}`;
  const file = { name: upload.name, mimeType: upload.mediaType, buffer: Buffer.from(upload.bytes) };
  if (await isFileField(element, limits)) {
    await element.setInputFiles(file, limits);
  } else {
    session.expectsFile = true;
    try {
      // Many pages hide their file field behind a button, so that the field itself has no reference.
      const [chooser] = await Promise.all([session.page.waitForEvent("filechooser", limits), element.click(limits)]);
      await chooser.setFiles(file, limits);
    } catch (error) {
      if (!/waiting for event "filechooser"/.test(toErrorMessage(error))) throw error;
      throw new AppError(
        "invalid",
        `${name} was clicked and asked for no file. Send the reference of the file field, or of the button beside it.`,
      );
    } finally {
      session.expectsFile = false;
    }
  }
  return {
    said: `Put ${upload.name} (${upload.bytes.byteLength.toLocaleString("en")} bytes) into ${name}. The page may want a click to send it.`,
    changesPage: true,
    facts: { file: upload.name, bytes: upload.bytes.byteLength },
  };
};
