import { findRipgrep } from "@/server/capabilities/search/ripgrep";
import type { Check } from "@/server/platform/extension-points/doctor-checks";

export const searchCheck: Check = {
  name: "Search",
  isOffline: true,
  run: async () => {
    const found = await findRipgrep();
    return found
      ? [{ name: "Search", status: "ok", sentence: "Ripgrep is installed, so files can be searched." }]
      : [{ name: "Search", status: "failed", sentence: "Ripgrep is missing, so no file can be searched.", wayOut: "Run npm install." }];
  },
};
