/** The API's reference as the page shows it: the OpenAPI document, read into what a person wants to know. */
export type Reference = { nouns: NounReference[]; schemas: NamedShape[] };

export type NounReference = { id: string; name: string; description: string; endpoints: EndpointReference[] };

export type EndpointReference = {
  /** Anchor on the page. */
  id: string;
  method: string;
  path: string;
  summary: string;
  permission: string | null;
  parameters: Field[];
  body: Shape | null;
  answers: { status: string; description: string; mediaType: string; shape: Shape }[];
  refusals: { status: string; description: string; codes: string[] }[];
  curl: string;
};

export type NamedShape = { id: string; name: string; shape: Shape };

export type Field = { name: string; place: "path" | "query" | "header" | "body"; required: boolean; shape: Shape };

/** What a value may be, in words. */
export type Shape = {
  /** "text", "list of Tool", "one of", "object". */
  kind: string;
  /** Named schema that the words end with; it has a place of its own on the page. */
  refers: { id: string; name: string } | null;
  description: string;
  /** "1 to 200 characters", "default 50". */
  limits: string[];
  /** The values that are allowed, when they are counted. */
  values: string[];
  /** Members of an object, or of the objects in a list. */
  fields: Field[];
  /** Alternatives, when there are several. */
  options: Shape[];
};
