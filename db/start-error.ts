/** A reason why Handrail cannot start, as one sentence with the remedy. Shown without a stack. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = "StartError";
  }
}
