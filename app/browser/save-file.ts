/** Gives a file to the browser to keep, as a download under that name. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken it by the time that the next task begins.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
