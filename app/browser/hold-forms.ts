/**
 * What is sent with a form before the app can handle it is held, and sent once the form's component is there
 * (`app/ui/field/form.tsx`). Its button is disabled in the document for browsers without scripts.
 */
declare global {
  interface Window {
    heldForm?: HTMLFormElement | undefined;
  }
}

const BUTTONS = 'form[data-held] button[type="submit"]';

addEventListener('DOMContentLoaded', () => {
  for (const button of document.querySelectorAll<HTMLButtonElement>(BUTTONS)) button.disabled = false;
});

addEventListener('submit', (event) => {
  const { target: form } = event;
  // The component, once it is there, prevents the default before the event arrives here.
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.dataset.held === undefined) return;
  event.preventDefault();
  window.heldForm = form;
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[type="submit"]')) {
    button.disabled = true;
    button.ariaBusy = 'true';
  }
});

// Makes this file a module.
export {};
