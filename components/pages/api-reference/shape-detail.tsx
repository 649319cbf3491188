import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./api-reference.module.css";
import { Prose } from "./prose";
import type { Field, Shape } from "./reference";
import { ShapeWords } from "./shape-words";

/** Details below a value's kind: allowed values, members, alternatives. */
export function ShapeDetail({ shape }: { shape: Shape }) {
  const { values, fields, options } = shape;
  return (
    <>
      {values.length > 0 ? (
        <ul className={classes.values} aria-label="Allowed values">
          {values.map((value) => (
            <li key={value}>
              <code>{value}</code>
            </li>
          ))}
        </ul>
      ) : null}
      {fields.length > 0 ? <FieldList fields={fields} /> : null}
      {options.length > 0 ? (
        <ul className={classes.options} aria-label="Alternatives">
          {options.map((option) => (
            <li key={`${option.kind} ${option.refers?.name} ${option.fields.map(({ name }) => name)}`}>
              <ShapeWords shape={option} />
              <ShapeDetail shape={option} />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** Members of an object or parameters of a request; required entries are marked. */
export function FieldList({ fields }: { fields: Field[] }) {
  return (
    <dl className={classes.fields}>
      {fields.map(({ name, place, required, shape }) => (
        <div key={`${place} ${name}`} className={classes.field}>
          <dt className={classes.term}>
            <code className={shared.strong}>
              <RevealedText text={name} />
            </code>
            {required ? <span className={classes.required}>required</span> : null}
            <ShapeWords shape={shape} />
          </dt>
          <dd className={`${classes.definition} ${shared.flush}`}>
            {shape.description ? (
              <p className={classes.description}>
                <Prose text={shape.description} />
              </p>
            ) : null}
            <ShapeDetail shape={shape} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
