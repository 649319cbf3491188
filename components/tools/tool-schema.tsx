"use client";

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { MachineBlock } from "@/components/ui/machine-block";
import { MachineText } from "@/components/ui/machine-text";
import { RevealedText } from "@/components/ui/revealed-text";
import type { JsonObject } from "@/contracts/common";
import { type SchemaField, schemaFields } from "./schema-fields";
import classes from "./tool-story.module.css";

const views = [
  { value: "fields", label: "Parameters" },
  { value: "json", label: "JSON" },
];

/** What a tool takes: as a list for people, as the schema that a model gets. */
export function ToolSchema({ schema }: { schema: JsonObject }) {
  const [view, setView] = useState("fields");
  const fields = schemaFields(schema);
  return (
    <section className={classes.part} aria-labelledby="schema-heading">
      <div className={classes.partHeader}>
        <h3 className={classes.partTitle} id="schema-heading">
          Input
        </h3>
        <SegmentedControl size="xs" aria-label="How to show the input" data={views} value={view} onChange={setView} />
      </div>
      {view === "json" ? (
        <MachineBlock label="Input schema" text={JSON.stringify(schema, null, 2)} maxLines={30} nowrap />
      ) : fields.length === 0 ? (
        <p className={classes.hint}>It takes no parameters.</p>
      ) : (
        <Fields fields={fields} />
      )}
    </section>
  );
}

function Fields({ fields }: { fields: readonly SchemaField[] }) {
  return (
    <ul className={classes.fields}>
      {fields.map((field) => (
        <li key={field.name} className={classes.field}>
          <div className={classes.fieldHead}>
            <span className={classes.fieldName}>
              <MachineText>
                <RevealedText text={field.name} />
              </MachineText>
            </span>
            <span className={classes.fieldType}>{field.type}</span>
            {field.required ? <span className={classes.required}>required</span> : null}
          </div>
          {field.description ? (
            <p className={classes.fieldWords}>
              <RevealedText text={field.description} />
            </p>
          ) : null}
          {field.limits.length > 0 ? <span className={classes.fieldLimits}>{field.limits.join(" · ")}</span> : null}
          {field.fields.length > 0 ? <Fields fields={field.fields} /> : null}
        </li>
      ))}
    </ul>
  );
}
