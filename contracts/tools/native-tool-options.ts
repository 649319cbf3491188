import { z } from "zod";
import { Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const imageFormats = ["png", "webp", "jpeg"] as const;
export const imageQualities = ["auto", "low", "medium", "high"] as const;
export const imageBackgrounds = ["auto", "transparent", "opaque"] as const;
export const imageActions = ["auto", "generate", "edit"] as const;
export const searchContextSizes = ["low", "medium", "high"] as const;

const Size = z
  .string()
  .regex(/^(?:auto|\d{2,4}x\d{2,4})$/, "must be auto, or width x height such as 1024x1024")
  .refine((size) => size === "auto" || size.split("x").every((side) => Number(side) >= 64 && Number(side) <= 4_096), {
    message: "must have sides of 64 to 4096 pixels",
  });

const image = {
  output_format: z.enum(imageFormats),
  size: Size,
  quality: z.enum(imageQualities),
  background: z.enum(imageBackgrounds),
  action: z.enum(imageActions),
};
const search = {
  search_context_size: z.enum(searchContextSizes),
  max_uses: z.int().min(1, "must be 1 to 20").max(20, "must be 1 to 20"),
};

/** JPEG has no transparent pixels. */
const fits = ({ output_format, background }: { output_format?: string | null; background?: string | null }) =>
  !(output_format === "jpeg" && background === "transparent");
const misfit = { message: "cannot be transparent in a JPEG: choose png or webp", path: ["background"] };

export const NativeImageOptions = z.strictObject(image).partial().refine(fits, misfit);
export const NativeSearchOptions = z.strictObject(search).partial();
export const NativeToolOptions = z
  .strictObject({
    provider_image_generation: NativeImageOptions.default({}),
    provider_web_search: NativeSearchOptions.default({}),
  })
  .meta({ examples: [{ provider_image_generation: { size: "1024x1024", output_format: "webp" } }] });
export type NativeToolOptions = z.infer<typeof NativeToolOptions>;

const orNull = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.nullable().optional()])) as {
    [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>;
  };

export const NativeToolOptionsPatch = z
  .strictObject({
    provider_image_generation: z.strictObject(orNull(image)).optional(),
    provider_web_search: z.strictObject(orNull(search)).optional(),
  })
  .meta({ examples: [{ provider_image_generation: { quality: "high", size: null } }] });
export type NativeToolOptionsPatch = z.infer<typeof NativeToolOptionsPatch>;

export const NativeToolSettings = z
  .object({
    options: NativeToolOptions,
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has set options."),
  })
  .meta({ id: "NativeToolSettings" });
export type NativeToolSettings = z.infer<typeof NativeToolSettings>;

export const nativeToolOptionsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/native-tool-options",
    summary: "Options with which the tools of model providers are advertised",
    permission: "tools:read",
    response: NativeToolSettings,
  }),
  replace: endpoint({
    method: "PUT",
    path: "/api/v1/native-tool-options",
    summary: "Replace the options of all provider tools; a tool that is left out has none",
    headers: ["If-Match"],
    permission: "tools:write",
    body: NativeToolOptions,
    response: NativeToolSettings,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/native-tool-options",
    summary: "Change the options that are sent: null removes one, and an empty object removes all options of a tool",
    headers: ["If-Match"],
    permission: "tools:write",
    body: NativeToolOptionsPatch,
    response: NativeToolSettings,
  }),
};

export const nativeToolOptionsContract = defineContract({
  reference: { name: "Native tool options", description: "Options of the tools that model providers run themselves." },
  endpoints: nativeToolOptionsEndpoints,
  audit: { "native_tool_options.updated": "Options of provider tools updated" },
});
