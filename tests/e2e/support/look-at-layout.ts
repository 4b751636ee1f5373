import type { Page } from '@playwright/test';

/** The way of https://wicg.github.io/layout-instability: what TypeScript's library does not describe. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** How much a screen may shift by itself, as a share of the window: too little to notice. */
export const UNNOTICED = 0.02;

/** A connection on which what a page is made of arrives piece by piece. */
export async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 80,
    // 3 Mbit a second.
    downloadThroughput: 375_000,
    uploadThroughput: 375_000,
  });
}

/** Records layout shifts before the first input in every later document. */
export async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let firstInput = Number.POSITIVE_INFINITY;
    const moved: { value: number; what: string }[] = [];
    for (const type of ['pointerdown', 'keydown', 'input']) {
      addEventListener(
        type,
        ({ timeStamp }) => {
          firstInput = Math.min(firstInput, timeStamp);
        },
        { capture: true },
      );
    }
    new PerformanceObserver((list) => {
      // Only layout shifts are observed.
      for (const { startTime, hadRecentInput, value, sources } of list.getEntries() as LayoutShift[]) {
        if (hadRecentInput || startTime >= firstInput) continue;
        const what = sources.map(({ node, previousRect: { x, y, width, height }, currentRect: now }) => {
          const name = node instanceof Element ? node.outerHTML : (node?.textContent ?? '');
          const [was, is] = [
            [x, y, width, height],
            [now.x, now.y, now.width, now.height],
          ];
          return `${was.map(Math.round)} → ${is.map(Math.round)} ${name.slice(0, 160)}`;
        });
        moved.push({ value, what: what.join('\n') });
      }
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { moved });
  });
}

/** What has moved by itself, by its share of the screen (0 to 1), in words that a failing test can show. */
export async function shifts(page: Page): Promise<{ readonly sum: number; readonly what: string }> {
  const moved = await page.evaluate(() => (window as unknown as { moved: { value: number; what: string }[] }).moved);
  return {
    sum: moved.reduce((sum, { value }) => sum + value, 0),
    what: moved.map(({ value, what }) => `${value.toFixed(4)}: ${what}`).join('\n'),
  };
}

/** Text that cannot be read whole because it is cut off or lies over other text, and a page that is wider than its window. */
export function unreadableText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) {
      const widest = [...document.querySelectorAll('body *')].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1,
      );
      problems.push(
        `the page is ${scrollWidth} wide in a window of ${clientWidth}: ${widest.at(-1)?.outerHTML.slice(0, 200)}`,
      );
    }

    const layer = document.querySelector('[role=dialog]') ?? document.body;
    const lines: { readonly text: Text; readonly box: DOMRect; readonly isOver: boolean }[] = [];
    const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!(node instanceof Text) || element === null || node.data.trim() === '') continue;
      if (!isSeen(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const [clip, isOver] = [clipOf(element), standsOver(element)];
      for (const box of range.getClientRects()) {
        // An excerpt ends in three dots, and the lines after them are not shown.
        if (clip.isExcerpt && box.bottom > clip.bottom + 1) continue;
        // Content scrolled out of its container does not cover its surroundings.
        if (clip.scroller !== null && (box.top < clip.scroller.top - 1 || box.bottom > clip.scroller.bottom + 1))
          continue;
        const outside = Math.max(clip.left - box.left, box.right - clip.right);
        const above = Math.max(clip.top - box.top, box.bottom - clip.bottom);
        if (outside > 1 || above > box.height / 3) {
          problems.push(`cut off by ${Math.max(outside, above).toFixed(0)} px: “${node.data.slice(0, 60)}”`);
        }
        lines.push({ text: node, box, isOver });
      }
    }
    for (const [index, one] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        if (one.text === other.text || one.isOver !== other.isOver) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        // A line's box is taller than its letters.
        if (width > 2 && height > one.box.height / 3) {
          problems.push(`“${one.text.data.slice(0, 40)}” lies over “${other.text.data.slice(0, 40)}”`);
        }
      }
    }
    return problems;

    /** Whether the element is visible: not only for screen readers, and not an icon made of text. */
    function isSeen(element: Element): boolean {
      const { width, height } = element.getBoundingClientRect();
      const isForEyes = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      return isForEyes && width > 1 && height > 1 && element.closest('[aria-hidden=true], [role=img]') === null;
    }

    /** Where it can be seen. What one can scroll to is not cut off. */
    function clipOf(element: Element) {
      const clip = {
        left: 0,
        right: clientWidth,
        top: -Infinity,
        bottom: Infinity,
        isExcerpt: false,
        scroller: null as DOMRect | null,
      };
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(around);
        if (around === document.body) break;
        const box = around.getBoundingClientRect();
        if (overflowX === 'hidden' || overflowX === 'clip') {
          clip.left = Math.max(clip.left, box.left);
          clip.right = Math.min(clip.right, box.right);
        }
        if (overflowY === 'hidden' || overflowY === 'clip') {
          clip.top = Math.max(clip.top, box.top);
          clip.bottom = Math.min(clip.bottom, box.bottom);
          clip.isExcerpt ||= webkitLineClamp !== 'none';
        }
        const scrollsAlong = overflowX === 'auto' || overflowX === 'scroll';
        if (scrollsAlong && around.scrollWidth > around.clientWidth)
          return { ...clip, left: -Infinity, right: Infinity };
        if (overflowY === 'auto' || overflowY === 'scroll') return { ...clip, scroller: box };
      }
      return clip;
    }

    /** Whether the element stands over the page, such as a notice, or the bar of a form. */
    function standsOver(element: Element): boolean {
      for (let around: Element | null = element; around !== null && around !== layer; around = around.parentElement) {
        if (['fixed', 'sticky'].includes(getComputedStyle(around).position)) return true;
      }
      return false;
    }
  });
}
