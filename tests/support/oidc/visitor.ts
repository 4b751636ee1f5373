/** A browser: keeps the cookies of each site and follows redirects. */
export class Visitor {
  #jars = new Map<string, Map<string, string>>();

  /** A `fetch` for a client in this browser: it sends the cookies and stores new ones. */
  fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { origin } = new URL(request.url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookies !== '') request.headers.set('Cookie', cookies);
    const response = await fetch(request, { redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };

  /** Its cookies of one site are gone, as if the person had signed out there. */
  forget(origin: string): void {
    this.#jars.delete(origin);
  }

  /** Opens an address and follows where it leads; the first address that `isEnd` takes is not opened any more. */
  async follow(url: string, isEnd: (url: URL) => boolean): Promise<URL> {
    let at = new URL(url);
    for (let step = 0; step < 20; step += 1) {
      if (step > 0 && isEnd(at)) return at;
      const response = await this.fetch(at);
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`${at.origin}${at.pathname} answered ${response.status}: ${await response.text()}`);
      at = new URL(location, at);
    }
    throw new Error('It leads nowhere.');
  }
}
