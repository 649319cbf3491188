import { existsSync } from "node:fs";
import path from "node:path";
import { libreOffice } from "@/server/capabilities/libre-office";
import type { Check, CheckResult } from "@/server/platform/extension-points/doctor-checks";
import { installedLanguages, scriptData } from "./program/read/recognition-data";

/** Packages of files that documents need, each with a file that must be there. */
const fonts = [
  "@embedpdf/fonts-latin/fonts/NotoSans-Regular.ttf",
  "@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
  "dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
];

/** Optional, because the Chinese font has every other sign. */
const koreanFont = "@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf";

export const documentsCheck: Check = {
  name: "Documents",
  isOffline: true,
  run: () => [fontsResult(), recognitionResult(), oldOfficeResult()],
};

function fontsResult(): CheckResult {
  const missing = fonts.filter((file) => !isInstalled(file));
  if (missing.length === 0) {
    const korean = isInstalled(koreanFont) ? "" : " Korean needs @expo-google-fonts/noto-sans-kr, which is not.";
    return { name: "Fonts", status: "ok", sentence: `The fonts of rendered PDF files are installed.${korean}` };
  }
  const sentence = `Fonts are missing, so no PDF can be rendered: ${missing.map((file) => file.split("/").slice(0, -2).join("/")).join(", ")}.`;
  return { name: "Fonts", status: "failed", sentence, wayOut: "Run npm install." };
}

function recognitionResult(): CheckResult {
  const languages = installedLanguages(packages());
  if (languages.length > 0) {
    const named = languages.map(({ code }) => code).join(", ");
    const scripts = scriptData(packages())
      ? ""
      : " Pages in other scripts are only found by @tesseract.js-data/osd, which is not installed.";
    return { name: "Text recognition", status: "ok", sentence: `Text in scanned pages and pictures can be read (${named}).${scripts}` };
  }
  const sentence = "The language data of text recognition is missing, so scanned pages and pictures have no text.";
  return { name: "Text recognition", status: "warning", sentence, wayOut: "Run npm install @tesseract.js-data/eng, or another language." };
}

function oldOfficeResult(): CheckResult {
  const name = "Old Office files";
  const program = libreOffice();
  if (program) return { name, status: "ok", sentence: `LibreOffice (${program}) converts .doc, .xls and .ppt files.` };
  return {
    name,
    status: "ok",
    sentence: "LibreOffice is not installed, so .doc, .xls and .ppt files are refused; all newer ones are read.",
  };
}

const packages = (): string => path.join(/* turbopackIgnore: true */ process.cwd(), "node_modules");
const isInstalled = (file: string): boolean => existsSync(path.join(packages(), file));
