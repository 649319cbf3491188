/** The API reference as the page shows it, built from the OpenAPI document. */
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

/** Description of a value's type. */
export type Shape = {
  /** Kind of value: "text", "list of Tool", "one of", "object". */
  kind: string;
  /** Named schema at the end of `kind`, with a section of its own on the page. */
  refers: { id: string; name: string } | null;
  description: string;
  /** "1 to 200 characters", "default 50". */
  limits: string[];
  /** Allowed values of an enumeration. */
  values: string[];
  /** Members of an object, or of the objects in a list. */
  fields: Field[];
  /** Alternatives, when there are several. */
  options: Shape[];
};
