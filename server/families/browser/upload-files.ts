import "server-only";
import { AppError, toErrorMessage } from "@/server/platform/errors";
import type { Perform } from "./action-done";
import type { UploadFile } from "./browser-action";
import { elementOf, isFileField } from "./element-of";
import { quoted } from "./news";

/** Puts files into a file field, or into the field that a button or a label opens. */
export const uploadFiles: Perform = async (session, run) => {
  const { uploads, ref, selector, timeout, signal } = run;
  if (uploads.length === 0) throw new AppError("invalid", "upload needs `path`: a file of the workspace.");
  const element = await elementOf(session, run);
  const limits = { timeout, signal };
  const name = ref === undefined ? quoted(selector ?? "") : `@${ref}`;
  const given = uploads.map(({ name, mediaType, bytes }) => ({ name, mimeType: mediaType, buffer: Buffer.from(bytes) }));
  const assertSeveral = (isMultiple: boolean) => {
    if (given.length <= 1 || isMultiple) return;
    throw new AppError("invalid", `${name} takes one file, not ${given.length}. Send one path, or choose a field that takes several.`);
  };
  if (await isFileField(element, limits)) {
    assertSeveral(await element.evaluate((field) => (field as HTMLInputElement).multiple, undefined, limits));
    await element.setInputFiles(given, limits);
  } else {
    session.expectsFile = true;
    try {
      // Many pages hide their file field behind a button, so that the field itself has no reference.
      const [chooser] = await Promise.all([session.page.waitForEvent("filechooser", limits), element.click(limits)]);
      assertSeveral(chooser.isMultiple());
      await chooser.setFiles(given, limits);
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
    said: `Put ${uploads.map(inWords).join(", ")} into ${name}. The page may want a click to send ${uploads.length === 1 ? "it" : "them"}.`,
    changesPage: true,
    facts: { uploads: uploads.map(({ name, bytes }) => ({ name, bytes: bytes.byteLength })) },
  };
};

const inWords = ({ name, bytes }: UploadFile): string => `${name} (${bytes.byteLength.toLocaleString("en")} bytes)`;
