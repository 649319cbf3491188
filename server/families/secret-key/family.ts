import { defineFamily } from "../define-family";
import { secretKeyAnswers } from "./endpoints";
import { environment } from "./environment";
import { secretKeyCheck } from "./secret-key-check";

/** Tells whether the secret key of a process opens the secrets of the database. */
export const secretKeyFamily = defineFamily({ name: "secret-key", endpoints: secretKeyAnswers, environment, doctor: [secretKeyCheck] });
