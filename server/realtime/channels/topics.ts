import type { Channel } from './channel.ts';

/** The channels of this server by topic. A private and a public topic of the same name are distinct. */
export class Topics {
  #channels = new Map<string, Set<Channel>>();

  join(channel: Channel): void {
    const key = keyOf(channel.name, channel.isPrivate);
    const members = this.#channels.get(key);
    if (members === undefined) this.#channels.set(key, new Set([channel]));
    else members.add(channel);
  }

  leave(channel: Channel): void {
    const key = keyOf(channel.name, channel.isPrivate);
    const members = this.#channels.get(key);
    members?.delete(channel);
    if (members?.size === 0) this.#channels.delete(key);
  }

  membersOf(name: string, isPrivate: boolean): Iterable<Channel> {
    return this.#channels.get(keyOf(name, isPrivate)) ?? [];
  }

  *all(): Generator<Channel> {
    for (const members of this.#channels.values()) yield* members;
  }
}

function keyOf(name: string, isPrivate: boolean): string {
  return `${isPrivate ? 'private' : 'public'} ${name}`;
}
