/**
 * Why there is no camera picture: permission was denied, there is no camera, another program uses it, or the page came
 * over plain HTTP.
 */
export type CameraProblem = 'denied' | 'missing' | 'busy' | 'insecure';

export interface Camera {
  readonly stream: MediaStream;
  /** Whether the camera has a light that can be turned on. */
  readonly hasTorch: boolean;
  /** The device's next camera, if it has several. */
  readonly next: string | null;
}

/** Capabilities of phone cameras: https://w3c.github.io/mediacapture-image */
interface TorchAbility {
  readonly torch?: boolean;
}

/**
 * Opens a camera, by default the one facing away from the user. The browser asks for permission. Rejects with an error
 * for `cameraProblem`.
 */
export async function openCamera(deviceId: string | null): Promise<Camera> {
  // Browsers lack this interface on insecure origins.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!isSecureContext) throw new InsecurePage();
  if (devices === undefined) throw new DOMException('No media devices.', 'NotFoundError');
  const stream = await devices.getUserMedia({
    audio: false,
    video: {
      ...(deviceId === null ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: deviceId } }),
      width: { ideal: 1_280 },
      height: { ideal: 720 },
    },
  });
  const [track] = stream.getVideoTracks();
  const current = track?.getSettings().deviceId;
  // Device ids are only known once permission is given.
  const cameras = (await devices.enumerateDevices().catch(() => [])).filter(({ kind }) => kind === 'videoinput');
  const position = cameras.findIndex((camera) => camera.deviceId === current);
  const next = cameras.length > 1 ? cameras[(position + 1) % cameras.length] : undefined;
  return { stream, hasTorch: torchOf(track), next: next?.deviceId ?? null };
}

export function closeCamera({ stream }: Camera): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Turns the camera's light on or off. Rejects where that fails. */
export async function setTorch({ stream }: Camera, on: boolean): Promise<void> {
  // TypeScript's library lacks this constraint.
  const constraint: MediaTrackConstraintSet & TorchAbility = { torch: on };
  await stream.getVideoTracks()[0]?.applyConstraints({ advanced: [constraint] });
}

/** Browsers give no camera to a page that came over plain HTTP. */
class InsecurePage extends Error {}

/** Classifies the errors of https://w3c.github.io/mediacapture-main/#dom-mediadevices-getusermedia */
export function cameraProblem(error: unknown): CameraProblem {
  if (error instanceof InsecurePage) return 'insecure';
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotReadableError' || name === 'AbortError' ? 'busy' : 'missing';
}

function torchOf(track: MediaStreamTrack | undefined): boolean {
  // Firefox lacks getCapabilities before version 132.
  if (track === undefined || !('getCapabilities' in track)) return false;
  const abilities: MediaTrackCapabilities & TorchAbility = track.getCapabilities();
  return abilities.torch === true;
}
