import { http } from "@/server/capabilities/call-capabilities";
import { defineFamily } from "../define-family";
import { urlFetch } from "./tools/url-fetch";

export const webFamily = defineFamily({
  name: "web",
  tools: [urlFetch],
  capabilities: [http],
});
