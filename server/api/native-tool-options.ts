import { nativeToolOptionsEndpoints } from "@/contracts/tools/native-tool-options";
import { answer } from "@/server/endpoints/answer";
import { getNativeOptions, replaceNativeOptions, updateNativeOptions } from "@/server/tools/provider/native-options";

export const nativeToolOptionsAnswers = answer(nativeToolOptionsEndpoints, {
  get: ({ actor }) => getNativeOptions(actor),
  replace: ({ actor, body, version }) => replaceNativeOptions(actor, body, version),
  update: ({ actor, body, version }) => updateNativeOptions(actor, body, version),
});
