"use client";

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { JsonObject } from "@/contracts/common";
import part from "./details-section.module.css";
import { type SchemaField, schemaFields } from "./schema-fields";
import classes from "./tool-schema.module.css";

const views = [
  { value: "fields", label: "Parameters" },
  { value: "json", label: "JSON" },
];

/** The input of a tool: as a list for people, and as the schema that the model reads. */
export function ToolSchema({ schema }: { schema: JsonObject }) {
  const [view, setView] = useState("fields");
  const fields = schemaFields(schema);
  return (
    <section className={shared.part} aria-labelledby="schema-heading">
      <div className={`${part.partHeader} ${shared.spread}`}>
        <h3 className={shared.title} id="schema-heading">
          Input
        </h3>
        <SegmentedControl size="xs" aria-label="View of the input" data={views} value={view} onChange={setView} />
      </div>
      {view === "json" ? (
        <CodeBlock label="Input schema" text={JSON.stringify(schema, null, 2)} maxLines={30} nowrap />
      ) : fields.length === 0 ? (
        <p className={classes.none}>This tool takes no parameters.</p>
      ) : (
        <Fields fields={fields} />
      )}
    </section>
  );
}

function Fields({ fields }: { fields: readonly SchemaField[] }) {
  return (
    <ul className={`${classes.fields} ${shared.plainList}`}>
      {fields.map((field) => (
        <li key={field.name} className={classes.field}>
          <div className={classes.fieldHead}>
            <span className={shared.strong}>
              <CodeText>
                <RevealedText text={field.name} />
              </CodeText>
            </span>
            <span className={`${shared.small} ${shared.wraps}`}>{field.type}</span>
            {field.required ? <span className={classes.required}>required</span> : null}
          </div>
          {field.description ? (
            <p className={classes.fieldWords}>
              <RevealedText text={field.description} />
            </p>
          ) : null}
          {field.limits.length > 0 ? <span className={`${shared.small} ${shared.wraps}`}>{field.limits.join(" · ")}</span> : null}
          {field.fields.length > 0 ? <Fields fields={field.fields} /> : null}
        </li>
      ))}
    </ul>
  );
}
