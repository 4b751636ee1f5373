import type { Page } from '@playwright/test';

interface StandIn {
  /** The name of the error with which every camera refuses. */
  readonly refusal?: string;
  /** The camera does not respond until `endCameraWait`. */
  readonly waits?: boolean;
  /** How many cameras the device has; by default 1. */
  readonly cameras?: number;
  readonly hasTorch?: boolean;
  /** The light does not do what it is told. */
  readonly torchFails?: boolean;
}

/**
 * Replaces the device's cameras by a script, for states that test machines lack the hardware for. Each camera is plain
 * gray; `document.documentElement.dataset` records the opened camera and its light.
 */
export async function standInCamera(page: Page, standIn: StandIn): Promise<void> {
  await page.addInitScript(({ refusal, waits = false, cameras = 1, hasTorch = false, torchFails = false }: StandIn) => {
    const ids = Array.from({ length: cameras }, (_, index) => `camera ${index + 1}`);
    navigator.mediaDevices.getUserMedia = async ({ video } = {}) => {
      if (waits) await new Promise((resolve) => window.addEventListener('camera-ready', resolve, { once: true }));
      if (refusal !== undefined) throw new DOMException('refused', refusal);
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const context = canvas.getContext('2d');
      if (context !== null) context.fillStyle = '#7a8a84';
      context?.fillRect(0, 0, 640, 480);
      const stream = canvas.captureStream(5);
      const asked = typeof video === 'object' && typeof video.deviceId === 'object' ? video.deviceId : undefined;
      const deviceId = asked !== undefined && 'exact' in asked ? String(asked.exact) : ids[0];
      const { dataset } = document.documentElement;
      dataset.camera = deviceId ?? '';
      const [track] = stream.getVideoTracks();
      if (track === undefined) throw new DOMException('There is no picture.', 'NotReadableError');
      track.getSettings = () => ({ deviceId: deviceId ?? '' });
      track.getCapabilities = () => (hasTorch ? Object.assign({}, { torch: true }) : {});
      track.applyConstraints = async (constraints) => {
        if (torchFails) throw new DOMException('refused', 'OperationError');
        dataset.torch = JSON.stringify(constraints);
      };
      return stream;
    };
    navigator.mediaDevices.enumerateDevices = async () =>
      ids.map((deviceId) => {
        const device = { deviceId, groupId: '', kind: 'videoinput' as const, label: deviceId };
        return { ...device, toJSON: () => device };
      });
  }, standIn);
}

/** Ends the wait of a camera that `waits`. */
export async function endCameraWait(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('camera-ready')));
}
