import type { Page } from '@playwright/test';

interface StandIn {
  /** The name of the error with which every camera refuses. */
  readonly refusal?: string;
  /** How many the device has; 1 unless said. */
  readonly cameras?: number;
  readonly hasTorch?: boolean;
}

/**
 * Puts cameras of a script's in the place of the device's, for states that no machine of ours has the hardware for. Each
 * sees an empty grey; which one was opened, and its light, stand in `document.documentElement.dataset`.
 */
export async function standInCamera(page: Page, standIn: StandIn): Promise<void> {
  await page.addInitScript(({ refusal, cameras = 1, hasTorch = false }: StandIn) => {
    const ids = Array.from({ length: cameras }, (_, index) => `camera ${index + 1}`);
    navigator.mediaDevices.getUserMedia = async ({ video } = {}) => {
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
