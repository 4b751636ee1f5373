/**
 * Lets React go on in a document that another program changes. A translator puts its own element before a text and then
 * removes the text, also later ones (https://github.com/facebook/react/issues/11538). React would throw where it removes
 * such a text or inserts beside it, and what it writes into one would appear nowhere.
 *
 * An observer notes what took the place of each removed node, since a translator runs where no patch of ours reaches it.
 * React's calls then mean what stands there now, and a text that React changes returns to its place, to be translated again.
 */
declare global {
  interface Window {
    /** Returns all texts to their places, for React to find the document as it was sent. Removed once React has. */
    putBackTexts?: (() => void) | undefined;
  }
}

interface Absence {
  readonly parent: Node;
  readonly standIns: readonly Node[];
  readonly next: Node | null;
}

const absences = new WeakMap<Node, Absence>();
const native = {
  insertBefore: Node.prototype.insertBefore,
  removeChild: Node.prototype.removeChild,
  nodeValue: Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue'),
};

/** The texts that were removed before React has taken over the document. */
const removedBefore = new Set<Text>();

// React's own changes are noted as well: it never asks for a node that it removed itself.
const observer = new MutationObserver(note);
observer.observe(document, { childList: true, subtree: true });

function note(records: readonly MutationRecord[]): void {
  /** What was added by itself, and may stand for a node that is removed next. */
  const added = new Set<Node>();
  for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    if (removedNodes.length === 0) for (const node of addedNodes) added.add(node);
    for (const node of removedNodes) {
      const beside = [previousSibling, nextSibling].filter((sibling) => sibling !== null && added.has(sibling));
      const standIns = addedNodes.length > 0 ? [...addedNodes] : beside.slice(0, 1);
      absences.set(node, { parent: target, standIns: standIns.filter((each) => each !== null), next: nextSibling });
      for (const each of standIns) if (each !== null) added.delete(each);
      if (node instanceof Text && window.putBackTexts !== undefined) removedBefore.add(node);
    }
  }
}

/** Returns the children of an element that stand for a node now: itself, or what took its place. */
function presentIn(parent: Node, node: Node): Node[] {
  if (node.parentNode === parent) return [node];
  return absences.get(node)?.standIns.flatMap((standIn) => presentIn(parent, standIn)) ?? [];
}

/** Returns the child of an element that is where a node was; null for the end. */
function placeIn(parent: Node, node: Node | null): Node | null {
  if (node === null) return null;
  let child = node;
  while (parent.contains(child) && child.parentNode !== null && child.parentNode !== parent) child = child.parentNode;
  if (child.parentNode === parent) return child;
  return presentIn(parent, node)[0] ?? placeIn(parent, absences.get(node)?.next ?? null);
}

/** Puts a node where it was, in place of what stands there now. */
function putBack(node: Node): void {
  const absence = absences.get(node);
  if (absence === undefined) return;
  const standIns = presentIn(absence.parent, node);
  native.insertBefore.call(absence.parent, node, standIns[0] ?? placeIn(absence.parent, absence.next));
  for (const standIn of standIns) native.removeChild.call(absence.parent, standIn);
}

/** Whether another program took a child out of an element, or moved it deeper into it. */
function wasTaken(parent: Node, child: Node): boolean {
  if (child.parentNode === parent) return false;
  note(observer.takeRecords());
  return absences.has(child) || parent.contains(child);
}

Node.prototype.insertBefore = function <Inserted extends Node>(this: Node, node: Inserted, before: Node | null) {
  const isTaken = before !== null && wasTaken(this, before);
  native.insertBefore.call(this, node, isTaken ? placeIn(this, before) : before);
  return node;
};

Node.prototype.removeChild = function <Removed extends Node>(this: Node, child: Removed) {
  if (!wasTaken(this, child)) native.removeChild.call(this, child);
  else if (this.contains(child)) child.parentNode?.removeChild(child);
  else for (const standIn of presentIn(this, child)) native.removeChild.call(this, standIn);
  return child;
};

Object.defineProperty(Node.prototype, 'nodeValue', {
  ...native.nodeValue,
  set(this: Node, value: string | null) {
    native.nodeValue?.set?.call(this, value);
    if (!(this instanceof Text) || this.parentNode !== null) return;
    note(observer.takeRecords());
    putBack(this);
  },
});

window.putBackTexts = () => {
  note(observer.takeRecords());
  const parents = new Set<Node>();
  for (const text of removedBefore) {
    if (text.parentNode !== absences.get(text)?.parent) putBack(text);
    if (text.parentNode !== null) parents.add(text.parentNode);
  }
  removedBefore.clear();
  // The parser goes on in a text of its own where the beginning was taken before the rest arrived. React expects one.
  for (const parent of parents) parent.normalize();
  // React may begin again: what was joined stays together.
  observer.takeRecords();
};

export {};
