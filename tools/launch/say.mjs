/** Prints one line. */
export function say(line, out = process.stdout) {
  out.write(`${line}\n`);
}

/** Exits with a message that says what is wrong and what to do. */
export function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
