import { defineFamily } from "../define-family";
import { askUser } from "./tools/ask-user";
import { showCard } from "./tools/show-card";

/** Questions and cards with which a model turns to people in the middle of a turn. */
export const questionsFamily = defineFamily({ name: "questions", tools: [askUser, showCard] });
