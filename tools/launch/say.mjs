/** One friendly line. */
export function say(line, out = process.stdout) {
  out.write(`${line}\n`);
}

/** Ends the launcher with a sentence that says what is wrong and what to do. */
export function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
