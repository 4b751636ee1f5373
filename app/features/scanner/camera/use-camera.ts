import { useEffect, useState } from 'react';
import { type Camera, type CameraProblem, cameraProblem, closeCamera, openCamera, setTorch } from './camera.ts';
import { useVisible } from './use-frames.ts';

export type CameraState =
  | { readonly status: 'asking' }
  | { readonly status: 'on'; readonly camera: Camera }
  | { readonly status: CameraProblem };

/** Opens the camera while `wanted` is true and the page is visible; closes it at once otherwise. */
export function useCamera(wanted: boolean) {
  const visible = useVisible();
  const [state, setState] = useState<CameraState>({ status: 'asking' });
  const [attempt, setAttempt] = useState(0);
  const [deviceId, setDeviceId] = useState<string | null>(null);
  /** The camera whose light is on: another camera's light is off. */
  const [lit, setLit] = useState<Camera | null>(null);
  const active = wanted && visible;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reopens it
  useEffect(() => {
    if (!active) return;
    let stopped = false;
    let opened: Camera | undefined;
    const lost = () => {
      if (!stopped) setState({ status: 'busy' });
    };
    openCamera(deviceId).then(
      (camera) => {
        opened = camera;
        if (stopped) return closeCamera(camera);
        camera.stream.getVideoTracks()[0]?.addEventListener('ended', lost);
        setState({ status: 'on', camera });
      },
      (error: unknown) => {
        if (!stopped) setState({ status: cameraProblem(error) });
      },
    );
    return () => {
      stopped = true;
      if (opened !== undefined) closeCamera(opened);
      setState({ status: 'asking' });
      setLit(null);
    };
  }, [active, deviceId, attempt]);

  useWhenAllowed(state.status === 'denied', () => setAttempt((count) => count + 1));

  const camera = state.status === 'on' ? state.camera : null;
  const torch = camera !== null && lit === camera;
  return {
    state,
    torch,
    tryAgain: () => setAttempt((count) => count + 1),
    switchCamera: () => camera !== null && setDeviceId(camera.next),
    /** Resolves with whether the light has changed; false also for a camera that was closed in the meantime. */
    async toggleTorch(): Promise<boolean> {
      if (camera === null) return false;
      try {
        await setTorch(camera, !torch);
      } catch {
        // The light stays as it is, and so does the button.
        return false;
      }
      setLit(torch ? null : camera);
      return true;
    },
  };
}

/** Calls `allowed` when the denied permission is granted in the browser's settings. */
function useWhenAllowed(waiting: boolean, allowed: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends only on whether there is something to wait for
  useEffect(() => {
    if (!waiting || !('permissions' in navigator)) return;
    let permission: PermissionStatus | undefined;
    const look = () => permission?.state === 'granted' && allowed();
    navigator.permissions.query({ name: 'camera' }).then(
      (found) => {
        permission = found;
        found.addEventListener('change', look);
      },
      // This browser does not report it; a button retries.
      () => {},
    );
    return () => permission?.removeEventListener('change', look);
  }, [waiting]);
}
