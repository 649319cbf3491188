/** A reason why Handrail cannot start, in one sentence that says what to do about it. Shown without a stack. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = "StartError";
  }
}
