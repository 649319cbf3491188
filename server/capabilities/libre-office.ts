import "server-only";
import { systemProgram } from "./sandbox/bubblewrap";

/** Returns the path of LibreOffice, which converts the old formats of Office; null when this machine does not have it. */
export const libreOffice = (): string | null => systemProgram("soffice") ?? systemProgram("libreoffice");
