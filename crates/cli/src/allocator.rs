//! The allocator, set to give back what it does not use: `--memory` is about what the system sees.

use std::ffi::c_long;

use libmimalloc_sys::{mi_option_set, mi_option_t};

/// `mi_option_purge_delay` of version 2, in milliseconds, which the bindings do not name.
const PURGE_DELAY: mi_option_t = 15;
const SOON: c_long = 1;

/// `mi_option_allow_large_os_pages`.
#[cfg(feature = "train")]
const LARGE_PAGES: mi_option_t = 6;

/// Makes the allocator keep little in reserve. Costs no measurable time and halves the peak of small memory settings.
pub(crate) fn keep_little() {
    // Pages of 2 MiB would be in use as a whole though little of each is. Where the system does not know them, it has
    // nothing to turn off.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    // SAFETY: sets a number in the allocator's table of options, which may be done at any time.
    unsafe { mi_option_set(PURGE_DELAY, SOON) };
}

/// Makes the allocator keep all it has, in large pages: training asks for the same gigabytes in every step.
#[cfg(feature = "train")]
pub(crate) fn keep_all() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(false);
    // SAFETY: as in `keep_little`.
    unsafe {
        mi_option_set(PURGE_DELAY, -1);
        mi_option_set(LARGE_PAGES, 1);
    }
}
